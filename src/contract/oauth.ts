/** Connecting an assistant by OAuth: the paths, and what can be granted. */

/** The MCP endpoint that takes tokens of the server's own authorization server, and nothing else. */
export const OAUTH_MCP_PATH = '/mcp';
/** The path of the issuer. */
export const ISSUER_PATH = '/oauth';
/** Where clients find out that the endpoint takes tokens, and who gives them: RFC 9728 and RFC 8414. */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${OAUTH_MCP_PATH}`;
export const ISSUER_METADATA_PATH = `/.well-known/oauth-authorization-server${ISSUER_PATH}`;

/** What an assistant may be granted. */
export const grantScopes = { read: 'svc:read', factCheck: 'svc:fact-check' } as const;

/** A grant that is not used for this time ends. */
export const GRANT_DAYS = 30;
