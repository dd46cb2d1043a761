/** What `svc mcp config` and `svc mcp install` share: the client that is meant, and how it connects. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { MCP_PATH } from '../../contract/mcp.js';
import { checkedAddress } from '../connection/failed-setting.js';
import { type SettingFlags, type Settings, settingsOf } from '../connection/settings.js';
import { CommandError } from '../failure/command-error.js';
import { suggestion } from '../failure/suggestion.js';
import {
  type ClientName,
  type Connection,
  clientNames,
  KEY_VARIABLE,
  type KeyPlace,
} from './client-configs.js';

/** @throws CommandError `usage` for an unknown client, with a similar name. */
export function clientNamed(given: string): ClientName {
  const known = clientNames.find((name) => name === given);
  if (known) return known;
  throw new CommandError('usage', `Unknown client: ${given}.${suggestion(given, clientNames)}`, {
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
  const given = stated.flatMap(([flag, value]) => (value ? [flag, value] : []));
  // The real path, because npx starts the command through a link in a cache that may be emptied.
  return [process.execPath, realpathSync(process.argv[1]!), 'mcp', ...given];
}

/** The variable that locates the profiles, if it is set. */
function profileEnvironment(): Record<string, string> {
  const { XDG_CONFIG_HOME } = process.env;
  return XDG_CONFIG_HOME ? { XDG_CONFIG_HOME } : {};
}
