/** What `svc mcp config` and `svc mcp install` share: the client that is meant, and how it connects. */

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Args } from '@oclif/core';
import { MCP_PATH, mcpServer } from '../../contract/mcp.js';
import { CommandError } from '../command-error.js';
import { checkedAddress, type SettingFlags, type Settings, settingsOf } from '../connection/settings.js';
import { shellPath } from '../render/wording.js';
import { suggestion } from '../suggestion.js';

/** Folders of the user that have configuration files. */
interface Machine {
  readonly home: string;
  /** Of applications with a window. */
  readonly applications: string;
  /** Of programs that follow the XDG convention. */
  readonly settings: string;
  readonly codexHome?: string | undefined;
}

/** The folders by the convention of the platform. */
export function thisMachine(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Machine {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  const codexHome = env.CODEX_HOME || undefined;
  if (platform === 'win32') {
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming');
    return { home, applications: roaming, settings: roaming, codexHome };
  }
  const settings = env.XDG_CONFIG_HOME || join(home, '.config');
  if (platform === 'darwin')
    return {
      home,
      applications: join(home, 'Library', 'Application Support'),
      settings: join(home, '.config'),
      codexHome,
    };
  return { home, applications: settings, settings, codexHome };
}

// Configurations of common MCP clients. They do not contain the key: clients get it from a variable, prompt or profile.

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
  /** `svc mcp install` edits JSON only. */
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
  /** The entry of a client that signs in by OAuth. */
  readonly oauth?: {
    readonly entry: (url: string) => Entry;
    /** It registers itself, and has no document that describes it. */
    readonly registers?: true;
    /** What the user does next. */
    readonly next: string;
  };
  /** The command that a user runs instead of editing the file. */
  readonly command?: { bridge(connection: Connection): string; http(connection: Connection): string };
}

const { name } = mcpServer;
export const SERVER_NAME = name;
export const KEY_VARIABLE = 'SVC_API_KEY';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

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
    oauth: { entry: (url) => ({ type: 'http', url }), next: 'In Claude Code: /mcp → svc → Authenticate.' },
    command: {
      bridge: ({ bridge, environment }) => {
        const variables = Object.entries(environment).map(
          ([key, value]) => `--env ${shellPath(`${key}=${value}`)} `,
        );
        return `claude mcp add ${variables.join('')}--transport stdio ${name} -- ${bridge.map(shellPath).join(' ')}\n`;
      },
      http: ({ url }) =>
        `claude mcp add --transport http ${name} ${shellPath(url)} --header "Authorization: Bearer \${${KEY_VARIABLE}:?set it to your API key}"\n`,
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
    oauth: { entry: (url) => ({ url }), registers: true, next: 'In Cursor: Settings → MCP → svc → Connect.' },
  },
  vscode: {
    place: '.vscode/mcp.json in a project, or what the command “MCP: Open User Configuration” opens',
    file: ({ applications }) => join(applications, 'Code', 'User', 'mcp.json'),
    format: 'json',
    table: 'servers',
    started: { type: 'stdio' },
    oauth: {
      entry: (url) => ({ type: 'http', url }),
      next: 'In VS Code: “MCP: List Servers” → svc → Start Server; it asks to sign in.',
    },
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
    oauth: { entry: (url) => ({ url }), next: 'In Zed: open the settings of the agent; it asks to sign in.' },
  },
  codex: {
    place: '~/.codex/config.toml',
    file: ({ home, codexHome = join(home, '.codex') }) => join(codexHome, 'config.toml'),
    format: 'toml',
    table: 'mcp_servers',
    http: { key: 'variable', entry: (url) => ({ url, bearer_token_env_var: KEY_VARIABLE }) },
    oauth: { entry: (url) => ({ url }), next: 'Run `codex mcp login svc`.' },
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
/** The argument that names a client. */
export const clientArg = {
  client: Args.string({
    description: `One of ${clientNames.join(', ')}`,
    required: true,
    ignoreStdin: true,
  }),
};
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
export async function configurationFor(
  client: ClientName,
  connection: Connection,
  keyIsStored: boolean,
): Promise<{ readonly key: KeyPlace; readonly text: string }> {
  const { http, command, format, table } = clientOf(client);
  const isHttp = http !== undefined && !keyIsStored;
  const key = isHttp ? http.key : 'bridge';
  if (command) return { key, text: command[isHttp ? 'http' : 'bridge'](connection) };
  const entry = isHttp ? http.entry(connection.url) : bridgeEntry(client, connection);
  if (format === 'toml') return { key, text: await tomlOf(client, entry) };
  const file = { ...(isHttp && http.more), [table]: { [name]: entry } };
  return { key, text: `${JSON.stringify(file, null, 2)}\n` };
}

/** What belongs in the file of a client whose format is TOML. */
export async function tomlOf(client: ClientName, entry: Entry): Promise<string> {
  const { stringify } = await import('smol-toml');
  return stringify({ [clientOf(client).table]: { [name]: entry } });
}

/** @throws CommandError `usage` for an unknown client, with a similar name. */
export function clientNamed(word: string): ClientName {
  const known = clientNames.find((name) => name === word);
  if (known) return known;
  throw new CommandError('usage', `Unknown client: ${word}.${suggestion(word, clientNames)}`, {
    hint: `Known clients: ${clientNames.join(', ')}.`,
  });
}

/** The settings without SVC_API_KEY, because a desktop client starts the bridge without the variables of this shell. */
export const storedSettings = (flags: SettingFlags, folder: string): Settings =>
  settingsOf(flags, { ...process.env, [KEY_VARIABLE]: undefined }, folder);

/** @throws CommandError `usage` for an invalid address. */
export const connectionOf = (flags: SettingFlags, settings: Settings, stored: Settings): Connection => ({
  url: checkedAddress(settings) + MCP_PATH,
  bridge: bridgeCommand(flags, stored),
  environment: profileEnvironment(),
});

/** A message that states where the client gets the key from. */
export function keyNote(key: KeyPlace, stored: Settings, file: string | undefined): string {
  const { url, profile, sources, otherOrigin } = stored;
  if (key === 'prompt') return 'The client asks for the key, and keeps it.';
  if (key === 'variable') return `The key comes from the variable ${KEY_VARIABLE}, which must be set there.`;
  if (sources.key === '--key-file') return `The key comes from the file ${file}.`;
  if (sources.key !== null) return `The key comes from ${sources.key}.`;
  const why = otherOrigin === undefined ? '' : ` The key of profile ${profile} is for ${otherOrigin}.`;
  return `The bridge has no key for ${url} yet:${why} store it with \`svc login --url ${url} --profile NAME\`, then run this again with --profile NAME.`;
}

/**
 * The command that starts the bridge, with its arguments. The client starts it later and with its own environment, so
 * all settings are explicit, including the profile, because the default profile may change.
 */
function bridgeCommand({ 'key-file': file }: SettingFlags, { url, profile, sources }: Settings): string[] {
  const isOwnUrl = sources.url === '--url' || sources.url === 'SVC_URL';
  const stated = [
    ['--profile', profile],
    ['--url', isOwnUrl ? url : undefined],
    ['--key-file', file && resolve(file)],
  ] as const;
  const typed = stated.flatMap(([flag, value]) => (value ? [flag, value] : []));
  // The real path, because npx starts the command through a link in a cache that may be emptied.
  return [process.execPath, realpathSync(process.argv[1]!), 'mcp', ...typed];
}

/** The variable that locates the profiles, if it is set. */
function profileEnvironment(): Record<string, string> {
  const { XDG_CONFIG_HOME } = process.env;
  return XDG_CONFIG_HOME ? { XDG_CONFIG_HOME } : {};
}
