import { boolean, string } from '@oclif/core/flags';
import { printable, printableLines } from '../../../contract/printable.js';
import { ApiCommand } from '../../base/api-command.js';
import { confirm } from '../../base/prompt.js';
import { currentTime } from '../../clock.js';
import { CommandError } from '../../command-error.js';
import { checkedAddress, type SettingFlags, type Settings } from '../../connection/settings.js';
import { ConfigSyntaxError, changedLines, readConfigFile, writeConfigFile } from '../../mcp/config-file.js';
import { withJsonValue } from '../../mcp/json.js';
import { wayFor } from '../../mcp/oauth.js';
import {
  bridgeEntry,
  type ClientName,
  type Connection,
  clientArg,
  clientNamed,
  clientOf,
  connectionOf,
  type Entry,
  type KeyPlace,
  keyNote,
  SERVER_NAME,
  storedSettings,
  thisMachine,
  tomlOf,
} from '../../mcp/setup.js';
import { startedTools } from '../../mcp/started-tools.js';
import { type Format, print, styled } from '../../render/terminal.js';

export default class McpInstall extends ApiCommand {
  static override summary = 'Add the server to the configuration of an MCP client, and try it';
  static override description =
    'Shows what changes in the file of the client, asks, writes it and keeps a copy of the file next to it. Of a client ' +
    'whose file is not JSON (codex), it prints what to add. Where the client and the server have OAuth, it writes the ' +
    'address, at which the client signs in. Else, or with --key, it starts what it configured, as the client will, and ' +
    'lists the tools. The key is not written: the client starts the bridge `<%= config.bin %> mcp`, which takes it from ' +
    'the profile; clients that run in a shell can take it from SVC_API_KEY.';
  static override examples = [
    '<%= config.bin %> mcp install cursor',
    '<%= config.bin %> mcp install claude-code --profile work --yes',
    '<%= config.bin %> mcp install vscode --file .vscode/mcp.json',
    '<%= config.bin %> mcp install cursor --key',
  ];
  static override args = clientArg;
  static override flags = {
    yes: boolean({ char: 'y', description: 'Write without asking' }),
    key: boolean({ description: 'Use the key, also where the client could sign in by OAuth' }),
    file: string({ description: 'The file to change (default: that of the user)', helpValue: 'PATH' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(McpInstall);
    const name = clientNamed(args.client);
    const settings = this.settle(flags);
    const file = flags.file ?? clientOf(name).file(thisMachine());
    const way =
      flags.key || flags['key-file'] !== undefined
        ? { oauth: null, why: `${name} gets the key, as asked for.` }
        : await wayFor(name, checkedAddress(settings), { fetch: this.fetch(), signal: this.signal });
    this.note(way.why);
    if (way.oauth === null) return this.#installKey(name, file, flags, settings);
    const { entry, next } = clientOf(name).oauth!;
    const written = await this.#put(name, file, entry(way.oauth), flags);
    if (flags.json) return this.#printResult({ client: name, file, ...written, way: 'oauth', tools: null });
    await print(`${name} signs in at ${printable(way.oauth)}\n`);
    this.note(`Restart the client, or reload its servers. ${next}`);
  }

  /** The bridge, or HTTP for a client that reads the variable of the key; then lists the tools. */
  async #installKey(name: ClientName, file: string, flags: InstallFlags, settings: Settings): Promise<void> {
    const stored = storedSettings(flags, this.config.configDir);
    const { key, entry } = entryFor(name, connectionOf(flags, settings, stored), settings, stored);
    const written = await this.#put(name, file, entry, flags);
    this.note(keyNote(key, stored, flags['key-file']));
    const tools = await this.progress.during('Listing the tools …', this.#tools(key, entry, settings));
    if (flags.json) return this.#printResult({ client: name, file, ...written, way: 'key', tools });
    await print(`${name} gets ${tools.length} tools: ${printable(tools.join(', '))}\n`);
    this.note('Restart the client, or reload its servers.');
  }

  #printResult(result: object): Promise<void> {
    return print(`${JSON.stringify(result)}\n`);
  }

  /** Writes an entry into the file, or prints what the user must add to it. */
  async #put(name: ClientName, file: string, entry: Entry, flags: InstallFlags): Promise<Written> {
    if (clientOf(name).format === 'json') return this.#write(name, file, entry, flags);
    const text = await tomlOf(name, entry);
    this.note(`Add this to ${file}, of which svc cannot edit the format:`);
    if (!flags.json) await print(text);
    return { changed: false, backup: null, text };
  }

  /** Changes the file, after a confirmation. */
  async #write(name: ClientName, file: string, entry: Entry, { json, yes }: InstallFlags): Promise<Written> {
    const before = readConfigFile(file);
    const after = edited(name, file, before, entry);
    const changes = changedLines(before, after);
    if (changes.length === 0) {
      this.note(`${file} has this configuration already.`);
      return { changed: false, backup: null, text: null };
    }
    if (!json) await print(diffText(file, changes));
    if (!yes) await confirm(confirmation(file));
    const backup = writeConfigFile(file, after, currentTime());
    this.note(`Written: ${file}${backup === null ? '' : `; the file as it was: ${backup}`}`);
    return { changed: true, backup, text: null };
  }

  /** The names of the tools that the client will see. */
  async #tools(key: KeyPlace, entry: Entry, settings: Settings): Promise<string[]> {
    if (key === 'bridge') return startedTools(entry, this.signal);
    return (await this.connect(settings).tools.list()).map((tool) => tool.name);
  }
}

interface InstallFlags extends SettingFlags {
  readonly json: boolean;
  readonly yes: boolean;
}

interface Written {
  readonly changed: boolean;
  /** The copy of the file as it was; null: there is none. */
  readonly backup: string | null;
  /** What the user must add to the file; null: nothing. */
  readonly text: string | null;
}

const confirmation = (file: string) => ({
  question: 'Write this?',
  refusal: `Nothing was written to ${file}.`,
  hint: 'Add --yes to write without a question.',
});

/**
 * The bridge if the key is stored, else HTTP for a client that reads the variable of the key.
 * @throws CommandError `authentication` if the client would have no key.
 */
function entryFor(
  name: ClientName,
  connection: Connection,
  settings: Settings,
  stored: Settings,
): { key: KeyPlace; entry: Entry } {
  if (stored.sources.key !== null) return { key: 'bridge', entry: bridgeEntry(name, connection) };
  const { http } = clientOf(name);
  if (http?.key === 'variable' && settings.key !== undefined)
    return { key: 'variable', entry: http.entry(connection.url) };
  throw new CommandError('authentication', keyNote('bridge', stored, undefined));
}

function edited(name: ClientName, file: string, before: string, entry: Entry): string {
  try {
    return withJsonValue(before, [clientOf(name).table, SERVER_NAME], entry);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    throw new CommandError('usage', `${file}, line ${error.line}: ${error.message}. Nothing was written.`, {
      hint: `Correct the file, or add what \`svc mcp config ${name}\` prints.`,
    });
  }
}

const looks: { readonly [mark: string]: Format } = { '+': 'green', '-': 'red', '@': 'cyan' };

function diffText(file: string, changes: readonly string[]): string {
  const lines = changes.map((line) => {
    const look = looks[line[0]!];
    const text = printableLines(line);
    return look ? styled([look], text, process.stdout) : text;
  });
  return `${[file, ...lines].join('\n')}\n`;
}
