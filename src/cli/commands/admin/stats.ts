import type { BrandSize, StorageStats, TableStats } from '../../../server/intake/storage/size.js';
import { AdminCommand } from '../../base/admin-command.js';
import { GrowingTable } from '../../render/table.js';
import { outputWidth, print } from '../../render/terminal.js';
import { count, grouped, type TableView, text } from '../../render/view.js';

const tableView: TableView<TableStats> = {
  noun: 'tables',
  columns: [
    text('table', (row) => row.name),
    text('part', (row) => row.part),
    count('rows', (row) => row.rows),
    text('', (row) => (row.estimated ? 'estimated' : ''), { room: 'spare' }),
    count('bytes', (row) => row.bytes),
  ],
};

const brandView: TableView<BrandSize> = {
  noun: 'brands',
  columns: [
    text('brand', (row) => row.id),
    count('days', (row) => row.days),
    count('runs collected', (row) => row.collected),
    count('runs stored', (row) => row.stored),
  ],
};

export default class Stats extends AdminCommand {
  static override summary = 'Show the size of the database: tables, brands, bytes of a run and of a day';
  static override description =
    'Bytes include indexes. The rows of tables above 64 MiB are estimates of the database.';
  static override examples = ['<%= config.bin %> admin stats'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Stats);
    const { storageStats } = await import('../../../server/intake/storage/size.js');
    const stats = await this.withDatabase(flags, storageStats);
    if (flags.json) return print(`${JSON.stringify(payloadOf(stats))}\n`);
    const stored = stats.tables.filter((table) => table.rows > 0);
    const parts = [new GrowingTable(tableView, outputWidth()).add(stored)];
    if (stats.brands.length > 0) parts.push(new GrowingTable(brandView, outputWidth()).add(stats.brands));
    return print(`${parts.join('\n')}\n${summaryOf(stats)}\n`);
  }
}

const numberOf = (bytes: number | null): string => (bytes === null ? '—' : grouped(bytes));

const summaryOf = ({ bytes, bytesPerRun, textBytesPerRun, bytesPerDay }: StorageStats): string =>
  [
    `A stored run takes ${numberOf(bytesPerRun)} bytes, and ${numberOf(textBytesPerRun)} of texts that runs share.`,
    `The roll-ups of a brand's day take ${numberOf(bytesPerDay)} bytes. Everything: ${numberOf(bytes)} bytes.`,
  ].join('\n');

const payloadOf = ({ tables, brands, ...totals }: StorageStats) => ({
  tables,
  brands,
  bytes: totals.bytes,
  bytes_per_run: totals.bytesPerRun,
  text_bytes_per_run: totals.textBytesPerRun,
  bytes_per_day: totals.bytesPerDay,
});
