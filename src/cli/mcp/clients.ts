/** How the usual MCP clients are told of a server. None of this ever holds a key: clients get it from somewhere else. */
import { mcpServer } from '../../contract/mcp.js';

/** What a client needs to know. */
export interface Connection {
  /** Address of the MCP endpoint. */
  readonly url: string;
  /** The words of the command that starts the bridge. */
  readonly bridge: readonly string[];
  /** Variables without which the bridge would not find the profile: clients start it with few of their own. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Client {
  /** What to do with the text: the file it belongs in, or where to run it. */
  readonly place: string;
  /** Where the key comes from: a variable of the environment, a stored profile, or the client asks for it. */
  readonly key: 'variable' | 'profile' | 'asked';
  readonly text: (connection: Connection) => string;
}

const { name } = mcpServer;
export const KEY_VARIABLE = 'SVC_API_KEY';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const started = ({ bridge: [command, ...args], environment }: Connection) => ({
  command,
  args,
  ...(Object.keys(environment).length > 0 && { env: environment }),
});

export const clients = {
  'claude-code': {
    place: 'Run it in a shell',
    key: 'variable',
    text: ({ url }) =>
      `claude mcp add --transport http ${name} ${word(url)} --header "Authorization: Bearer \${${KEY_VARIABLE}:?set it to your API key}"\n`,
  },
  'claude-desktop': {
    place:
      'claude_desktop_config.json, in ~/Library/Application Support/Claude (macOS) or %APPDATA%\\Claude (Windows)',
    key: 'profile',
    text: (connection) => json({ mcpServers: { [name]: started(connection) } }),
  },
  cursor: {
    place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    key: 'variable',
    text: ({ url }) => json({ mcpServers: { [name]: { url, headers: bearer(`\${env:${KEY_VARIABLE}}`) } } }),
  },
  vscode: {
    place: '.vscode/mcp.json in a project, or what the command “MCP: Open User Configuration” opens',
    key: 'asked',
    text: ({ url }) =>
      json({
        inputs: [{ type: 'promptString', id: 'svc-key', description: 'API key of svc', password: true }],
        servers: { [name]: { type: 'http', url, headers: bearer(`\${input:svc-key}`) } },
      }),
  },
  windsurf: {
    place: '~/.codeium/windsurf/mcp_config.json',
    key: 'variable',
    text: ({ url }) =>
      json({ mcpServers: { [name]: { serverUrl: url, headers: bearer(`\${env:${KEY_VARIABLE}}`) } } }),
  },
  zed: {
    place: '~/.config/zed/settings.json, or .zed/settings.json in a project',
    key: 'profile',
    text: (connection) => json({ context_servers: { [name]: started(connection) } }),
  },
  codex: {
    place: '~/.codex/config.toml',
    key: 'variable',
    text: ({ url }) =>
      `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${KEY_VARIABLE}"\n`,
  },
  'gemini-cli': {
    place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    key: 'variable',
    text: ({ url }) =>
      json({ mcpServers: { [name]: { httpUrl: url, headers: bearer(`\${${KEY_VARIABLE}}`) } } }),
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];

/** A text as one word of a shell. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
