import { SHARES_PATH, type Share } from '../../../contract/paths.js';
import { printableJson } from '../../../contract/printable.js';
import { PageCommand } from '../../base/page-command.js';
import { GrowingTable } from '../../render/table.js';
import { outputWidth, print } from '../../render/terminal.js';
import { type TableView, text } from '../../render/view.js';

/** A time without its seconds. */
export const minute = (time: string): string => time.replace(/:\d\d(?:\.\d+)?Z$/, 'Z');

const view: TableView<Share> = {
  noun: 'links',
  columns: [
    text('id', (row) => row.id),
    text('brand', (row) => row.brand),
    text('shows', (row) => sliceWords(row.slice), { room: 'flexible' }),
    text('made', (row) => minute(row.created_at), { room: 'spare' }),
    text('works until', (row) => minute(row.expires_at)),
  ],
};

const sliceWords = (slice: Share['slice']): string =>
  Object.entries(slice)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'all';

export default class ShareList extends PageCommand {
  static override summary =
    'List the links that work: those of your key; of the operator key, those of all keys';
  static override examples = ['<%= config.bin %> share list', '<%= config.bin %> share list --json'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(ShareList);
    const connection = this.connection(this.settle(flags));
    const body = await this.ask<{ shares: Share[] }>(connection, 'GET', SHARES_PATH);
    if (flags.json) return print(`${printableJson(body)}\n`);
    const { shares } = body;
    if (shares.length === 0) return this.note('No link works.');
    return print(new GrowingTable(view, outputWidth()).add(shares));
  }
}
