import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../base/base-command.js';
import { currentProfile, readProfiles } from '../../connection/profiles.js';
import { plainTable, textOf } from '../../render/table.js';
import { print } from '../../render/terminal.js';

export default class Profiles extends BaseCommand {
  static override inHelp = { group: 'SETUP', place: 5 };
  static override summary = 'List the stored servers; the keys are not shown';
  static override examples = ['<%= config.bin %> profiles', '<%= config.bin %> profiles use work'];
  static override flags = { json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }) };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Profiles);
    const stored = readProfiles(this.config.configDir);
    const current = currentProfile(stored);
    const rows = Object.entries(stored.profiles).map(([name, { url, brand, key }]) => ({
      name,
      default: name === current,
      url,
      brand: brand ?? null,
      has_key: key !== undefined,
    }));
    if (flags.json) return print(`${JSON.stringify({ profiles: rows })}\n`);
    const table = plainTable();
    for (const row of rows) {
      const marks = [row.default && 'default', row.brand && `brand ${row.brand}`, !row.has_key && 'no key'];
      table.push([row.name, row.url, marks.filter(Boolean).join(', ')]);
    }
    if (rows.length > 0) return print(textOf(table));
    process.stderr.write(`No server is stored: \`${this.config.bin} login\` stores one.\n`);
  }
}
