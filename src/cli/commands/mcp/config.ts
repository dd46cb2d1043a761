import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Args } from '@oclif/core';
import { MCP_PATH } from '../../../contract/mcp.js';
import { ApiCommand } from '../../base/api-command.js';
import { checkedAddress } from '../../connection/failed-setting.js';
import { type SettingFlags, type Settings, settingsOf } from '../../connection/settings.js';
import { CommandError } from '../../failure/command-error.js';
import { suggestion } from '../../failure/suggestion.js';
import {
  type ClientName,
  clientNames,
  clients,
  configurationFor,
  KEY_VARIABLE,
  type KeyPlace,
} from '../../mcp/client-configs.js';
import { print } from '../../render/output.js';

export default class McpConfig extends ApiCommand {
  static override summary = 'Print the configuration of an MCP client for this server';
  static override description =
    'The configuration is printed to standard output, and to standard error where it belongs. It never holds the key: ' +
    'the client starts the bridge `<%= config.bin %> mcp`, which takes it from the profile. Without a stored key, clients ' +
    'that run in a shell get it from SVC_API_KEY.';
  static override examples = [
    '<%= config.bin %> mcp config cursor',
    '<%= config.bin %> mcp config claude-code | sh',
  ];
  static override args = {
    client: Args.string({
      description: `One of ${clientNames.join(', ')}`,
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(McpConfig);
    const name = clientNamed(args.client);
    const settings = this.settle(flags);
    // SVC_API_KEY is ignored, because a desktop client starts the bridge without the variables of this shell.
    const stored = settingsOf(flags, { ...process.env, [KEY_VARIABLE]: undefined }, this.config.configDir);
    const { key: keySource } = settings.sources;
    const connection = {
      url: checkedAddress(settings) + MCP_PATH,
      bridge: bridgeCommand(flags, stored),
      environment: profileEnvironment(),
    };
    const { key, text } = configurationFor(
      name,
      connection,
      keySource !== null && keySource !== KEY_VARIABLE,
    );
    const { place } = clients[name];
    const note = keyNote(key, stored, flags['key-file']);
    if (flags.json) return print(`${JSON.stringify({ client: name, place, text, key: note })}\n`);
    this.note(`${place}:`);
    await print(text);
    this.note(note);
  }
}

/** A message that states where the client gets the key from. */
function keyNote(
  key: KeyPlace,
  { url, profile, sources, otherOrigin }: Settings,
  file: string | undefined,
): string {
  if (key === 'prompt') return 'The client asks for the key, and keeps it.';
  if (key === 'variable') return `The key comes from the variable ${KEY_VARIABLE}, which must be set there.`;
  if (sources.key === '--key-file') return `The key comes from the file ${file}.`;
  if (sources.key !== null) return `The key comes from ${sources.key}.`;
  const why = otherOrigin === undefined ? '' : ` The key of profile ${profile} is for ${otherOrigin}.`;
  return `The bridge has no key for ${url} yet:${why} store it with \`svc login --url ${url} --profile NAME\`, then run this again with --profile NAME.`;
}

function clientNamed(given: string): ClientName {
  const known = clientNames.find((name) => name === given);
  if (known) return known;
  throw new CommandError('usage', `Unknown client: ${given}.${suggestion(given, clientNames)}`, {
    hint: `Known clients: ${clientNames.join(', ')}.`,
  });
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
