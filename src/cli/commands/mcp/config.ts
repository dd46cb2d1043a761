import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Args } from '@oclif/core';
import { MCP_PATH } from '../../../contract/mcp.js';
import { checkedUrl } from '../../../sdk/options.js';
import { ApiCommand } from '../../api-command.js';
import { CommandError } from '../../command-error.js';
import { type ClientName, clientNames, clients, KEY_VARIABLE } from '../../mcp/clients.js';
import { print } from '../../output.js';
import type { SettingFlags } from '../../settings.js';
import { suggestion } from '../../suggestion.js';

const keyNotes = {
  variable: `The key comes from the variable ${KEY_VARIABLE}, which must be set there.`,
  profile: 'The key comes from the profile in which `svc login` stores it.',
  asked: 'The client asks for the key, and keeps it.',
} as const;

export default class McpConfig extends ApiCommand {
  static override summary = 'Print the configuration by which an MCP client finds the server';
  static override description =
    'The configuration is printed to standard output, and to standard error where it belongs. It never holds the key. Clients that cannot send a key by HTTP get the bridge, ' +
    '`<%= config.bin %> mcp`.';
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
    const { url } = this.settle(flags);
    const { place, key, text } = clients[name];
    const config = text({
      url: endpoint(url),
      bridge: [process.execPath, ...bridgeArguments(flags)],
      environment: profileEnvironment(),
    });
    const file = key === 'profile' && flags['key-file'];
    const keyNote = file ? `The key comes from the file ${file}.` : keyNotes[key];
    if (flags.json) return print(`${JSON.stringify({ client: name, place, text: config, key: keyNote })}\n`);
    this.note(`${place}:`);
    await print(config);
    this.note(keyNote);
  }
}

function clientNamed(given: string): ClientName {
  const known = clientNames.find((name) => name === given);
  if (known) return known;
  throw new CommandError('usage', `Unknown client: ${given}.${suggestion(given, clientNames)}`, {
    hint: `Known clients: ${clientNames.join(', ')}.`,
  });
}

/** @throws CommandError `usage` for what is no address. */
function endpoint(url: string): string {
  try {
    return checkedUrl(url) + MCP_PATH;
  } catch (error) {
    throw new CommandError('usage', (error as Error).message);
  }
}

/** The client starts the bridge with an environment of its own, so what is not in a profile is stated. */
function bridgeArguments({ profile, url, 'key-file': file }: SettingFlags): string[] {
  const stated = [
    ['--profile', profile || process.env.SVC_PROFILE],
    ['--url', url || process.env.SVC_URL],
    ['--key-file', file && resolve(file)],
  ] as const;
  const given = stated.flatMap(([flag, value]) => (value ? [flag, value] : []));
  // npx starts the command by a link in a cache that is emptied now and then.
  return [realpathSync(process.argv[1]!), 'mcp', ...given];
}

/** What says where profiles are, where it is not the usual place. */
function profileEnvironment(): Record<string, string> {
  const { XDG_CONFIG_HOME } = process.env;
  return XDG_CONFIG_HOME ? { XDG_CONFIG_HOME } : {};
}
