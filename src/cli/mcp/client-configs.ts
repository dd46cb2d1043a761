/**
 * Configurations of common MCP clients. They do not contain the key: clients get it from a variable, prompt or profile.
 */
import { join } from 'node:path';
import { mcpServer } from '../../contract/mcp.js';
import type { Machine } from './machine.js';
import { tomlTables } from './toml.js';

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

/** What a client stores about one server. */
export type Entry = Readonly<Record<string, unknown>>;

interface Client {
  /** The instruction for the user: the file that the text belongs in, or where to run it. */
  readonly place: string;
  /** The configuration file of the user, for all projects. */
  readonly file: (machine: Machine) => string;
  readonly format: 'json' | 'toml';
  /** The object of the file that has an entry per server. */
  readonly table: string;
  /** More fields of an entry that starts a command. */
  readonly started?: Entry;
  /** The entry over HTTP, for clients that get the key from the shell that starts them, or from a prompt. */
  readonly http?: {
    readonly key: 'variable' | 'prompt';
    readonly entry: (url: string) => Entry;
    /** Further parts of the file. */
    readonly more?: Entry;
  };
  /** The command that a user runs instead of editing the file. */
  readonly command?: { bridge(connection: Connection): string; http(connection: Connection): string };
}

const { name } = mcpServer;
/** The name of the server in the configuration of a client. */
export const SERVER_NAME = name;
export const KEY_VARIABLE = 'SVC_API_KEY';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A text quoted as one argument of a shell. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

export const clients = {
  'claude-code': {
    place: 'Run it in a shell',
    file: ({ home }) => join(home, '.claude.json'),
    format: 'json',
    table: 'mcpServers',
    started: { type: 'stdio' },
    http: {
      key: 'variable',
      entry: (url) => ({ type: 'http', url, headers: bearer(`\${${KEY_VARIABLE}}`) }),
    },
    command: {
      bridge: ({ bridge, environment }) => {
        const variables = Object.entries(environment).map(
          ([key, value]) => `--env ${word(`${key}=${value}`)} `,
        );
        return `claude mcp add ${variables.join('')}--transport stdio ${name} -- ${bridge.map(word).join(' ')}\n`;
      },
      http: ({ url }) =>
        `claude mcp add --transport http ${name} ${word(url)} --header "Authorization: Bearer \${${KEY_VARIABLE}:?set it to your API key}"\n`,
    },
  },
  'claude-desktop': {
    place:
      'claude_desktop_config.json, in ~/Library/Application Support/Claude (macOS) or %APPDATA%\\Claude (Windows)',
    file: ({ applications }) => join(applications, 'Claude', 'claude_desktop_config.json'),
    format: 'json',
    table: 'mcpServers',
  },
  cursor: {
    place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    format: 'json',
    table: 'mcpServers',
  },
  vscode: {
    place: '.vscode/mcp.json in a project, or what the command “MCP: Open User Configuration” opens',
    file: ({ applications }) => join(applications, 'Code', 'User', 'mcp.json'),
    format: 'json',
    table: 'servers',
    started: { type: 'stdio' },
    http: {
      key: 'prompt',
      entry: (url) => ({ type: 'http', url, headers: bearer(`\${input:svc-key}`) }),
      more: {
        inputs: [{ type: 'promptString', id: 'svc-key', description: 'API key of svc', password: true }],
      },
    },
  },
  windsurf: {
    place: '~/.codeium/windsurf/mcp_config.json',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    format: 'json',
    table: 'mcpServers',
  },
  zed: {
    place: '~/.config/zed/settings.json, or .zed/settings.json in a project',
    file: ({ settings }) => join(settings, 'zed', 'settings.json'),
    format: 'json',
    table: 'context_servers',
  },
  codex: {
    place: '~/.codex/config.toml',
    file: ({ home, codexHome = join(home, '.codex') }) => join(codexHome, 'config.toml'),
    format: 'toml',
    table: 'mcp_servers',
    http: { key: 'variable', entry: (url) => ({ url, bearer_token_env_var: KEY_VARIABLE }) },
  },
  'gemini-cli': {
    place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    format: 'json',
    table: 'mcpServers',
    http: {
      key: 'variable',
      entry: (url) => ({ httpUrl: url, headers: bearer(`\${${KEY_VARIABLE}}`) }),
    },
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
/** How a client is configured. */
export const clientOf = (client: ClientName): Client => clients[client];

/** The entry of a client that starts the bridge. */
export function bridgeEntry(
  client: ClientName,
  { bridge: [command, ...args], environment }: Connection,
): Entry {
  const env = Object.keys(environment).length > 0 ? { env: environment } : {};
  return { ...clientOf(client).started, command, args, ...env };
}

/**
 * The configuration of a client as a text: over HTTP if it gets the key itself, over the bridge if a profile or file has the
 * key.
 */
export function configurationFor(
  client: ClientName,
  connection: Connection,
  keyIsStored: boolean,
): { readonly key: KeyPlace; readonly text: string } {
  const { http, command, format, table } = clientOf(client);
  const isHttp = http !== undefined && !keyIsStored;
  const key = isHttp ? http.key : 'bridge';
  if (command) return { key, text: command[isHttp ? 'http' : 'bridge'](connection) };
  const entry = isHttp ? http.entry(connection.url) : bridgeEntry(client, connection);
  if (format === 'toml') return { key, text: tomlTables([table, name], entry) };
  const file = { ...(isHttp && http.more), [table]: { [name]: entry } };
  return { key, text: `${JSON.stringify(file, null, 2)}\n` };
}
