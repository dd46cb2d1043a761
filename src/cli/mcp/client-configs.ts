/**
 * Configurations of common MCP clients. They do not contain the key: clients get it from a variable, prompt or profile.
 */
import { mcpServer } from '../../contract/mcp.js';

/** The data of a configuration. */
export interface Connection {
  /** Address of the MCP endpoint. */
  readonly url: string;
  /** The command that starts the bridge, and its arguments. */
  readonly bridge: readonly string[];
  /** Variables that the bridge needs to find the profile, because clients start it with few variables. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a client gets the key and connects to the server. */
export type KeyPlace = 'variable' | 'prompt' | 'bridge';

interface Client {
  /** Tells the user what to do with the text: the file that it belongs in, or where to run it. */
  readonly place: string;
  /** The configuration over the bridge, which reads the key from the profile. */
  readonly bridge: (connection: Connection) => string;
  /** The configuration over HTTP, for clients that get the key from the shell that starts them, or from a prompt. */
  readonly http?: { readonly key: 'variable' | 'prompt'; readonly text: (connection: Connection) => string };
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
const mcpServers = (connection: Connection): string => json({ mcpServers: { [name]: started(connection) } });

/** A text quoted as one argument of a shell. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Strings of these configurations are the same in TOML and JSON. */
const toml = JSON.stringify;

export const clients = {
  'claude-code': {
    place: 'Run it in a shell',
    bridge: ({ bridge, environment }) => {
      const variables = Object.entries(environment).map(
        ([key, value]) => `--env ${word(`${key}=${value}`)} `,
      );
      return `claude mcp add ${variables.join('')}--transport stdio ${name} -- ${bridge.map(word).join(' ')}\n`;
    },
    http: {
      key: 'variable',
      text: ({ url }) =>
        `claude mcp add --transport http ${name} ${word(url)} --header "Authorization: Bearer \${${KEY_VARIABLE}:?set it to your API key}"\n`,
    },
  },
  'claude-desktop': {
    place:
      'claude_desktop_config.json, in ~/Library/Application Support/Claude (macOS) or %APPDATA%\\Claude (Windows)',
    bridge: mcpServers,
  },
  cursor: { place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project', bridge: mcpServers },
  vscode: {
    place: '.vscode/mcp.json in a project, or what the command “MCP: Open User Configuration” opens',
    bridge: (connection) => json({ servers: { [name]: { type: 'stdio', ...started(connection) } } }),
    http: {
      key: 'prompt',
      text: ({ url }) =>
        json({
          inputs: [{ type: 'promptString', id: 'svc-key', description: 'API key of svc', password: true }],
          servers: { [name]: { type: 'http', url, headers: bearer(`\${input:svc-key}`) } },
        }),
    },
  },
  windsurf: { place: '~/.codeium/windsurf/mcp_config.json', bridge: mcpServers },
  zed: {
    place: '~/.config/zed/settings.json, or .zed/settings.json in a project',
    bridge: (connection) => json({ context_servers: { [name]: started(connection) } }),
  },
  codex: {
    place: '~/.codex/config.toml',
    bridge: ({ bridge: [command, ...args], environment }) => {
      const variables = Object.entries(environment).map(([key, value]) => `${key} = ${toml(value)}\n`);
      const table = `[mcp_servers.${name}]\ncommand = ${toml(command)}\nargs = ${toml(args)}\n`;
      return variables.length === 0 ? table : `${table}\n[mcp_servers.${name}.env]\n${variables.join('')}`;
    },
    http: {
      key: 'variable',
      text: ({ url }) =>
        `[mcp_servers.${name}]\nurl = ${toml(url)}\nbearer_token_env_var = "${KEY_VARIABLE}"\n`,
    },
  },
  'gemini-cli': {
    place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    bridge: mcpServers,
    http: {
      key: 'variable',
      text: ({ url }) =>
        json({ mcpServers: { [name]: { httpUrl: url, headers: bearer(`\${${KEY_VARIABLE}}`) } } }),
    },
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];

/**
 * The configuration of a client: over HTTP if it gets the key itself, over the bridge if a profile or file has the key.
 */
export function configurationFor(
  client: ClientName,
  connection: Connection,
  keyIsStored: boolean,
): { readonly key: KeyPlace; readonly text: string } {
  const { http, bridge }: Client = clients[client];
  if (http && !keyIsStored) return { key: http.key, text: http.text(connection) };
  return { key: 'bridge', text: bridge(connection) };
}
