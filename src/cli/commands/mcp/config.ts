import { ApiCommand } from '../../base/api-command.js';
import {
  clientArg,
  clientNamed,
  clients,
  configurationFor,
  connectionOf,
  KEY_VARIABLE,
  keyNote,
  storedSettings,
} from '../../mcp/setup.js';
import { print } from '../../render/terminal.js';

export default class McpConfig extends ApiCommand {
  static override summary = 'Print the configuration of an MCP client for this server';
  static override description =
    'The configuration is printed to standard output, and the file for it to standard error. It never contains the key: ' +
    'the client starts the bridge `<%= config.bin %> mcp`, which takes it from the profile. Without a stored key, clients ' +
    'that run in a shell get it from SVC_API_KEY. `<%= config.bin %> mcp install CLIENT` writes it to the file.';
  static override examples = [
    '<%= config.bin %> mcp config cursor',
    '<%= config.bin %> mcp config claude-code | sh',
  ];
  static override args = clientArg;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(McpConfig);
    const name = clientNamed(args.client);
    const settings = this.settle(flags);
    const stored = storedSettings(flags, this.config.configDir);
    const { key: source } = settings.sources;
    const isStored = source !== null && source !== KEY_VARIABLE;
    const { key, text } = await configurationFor(name, connectionOf(flags, settings, stored), isStored);
    const { place } = clients[name];
    const note = keyNote(key, stored, flags['key-file']);
    if (flags.json) return print(`${JSON.stringify({ client: name, place, text, key: note })}\n`);
    this.note(`${place}:`);
    await print(text);
    this.note(note);
  }
}
