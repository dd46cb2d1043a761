/** Connecting an assistant by OAuth: the paths, and what can be granted. */

/** The MCP endpoint that takes tokens of the server's own authorization server, and nothing else. */
export const OAUTH_MCP_PATH = '/mcp';
/** The path of the issuer. */
export const ISSUER_PATH = '/oauth';

/** What an assistant may be granted. */
export const grantScopes = { read: 'svc:read', factCheck: 'svc:fact-check' } as const;

/** A grant that is not used for this time ends. */
export const GRANT_DAYS = 30;
