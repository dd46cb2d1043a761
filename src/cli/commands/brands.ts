import { boolean } from '@oclif/core/flags';
import { type BrandEntry, brandEntry, brandSummary, brands } from '../../contract/reads/brands.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { changeColumn } from '../render/uncertainty.js';
import { type Column, columnsOf, type TableView } from '../render/view.js';

const withNumbers = boolean({ description: 'The numbers of each brand too: short for --include summary' });

export default class Brands extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 12 };
  static override summary = brands.summary;
  static override examples = [
    '<%= config.bin %> brands',
    '<%= config.bin %> brands --summary --sort summary.rank',
    '<%= config.bin %> brands --all --format csv',
  ];
  static override flags = { ...listFlags(brands), summary: withNumbers };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Brands);
    const given = { ...flags, ...(flags.summary && { include: 'summary' }) };
    return printList(this, given, brands, {
      request: (svc) => svc.brands,
      view: given.include === 'summary' ? withSummary : view,
    });
  }
}

const column = columnsOf(brandEntry);

const view: TableView<BrandEntry> = {
  noun: 'brands',
  columns: [
    // Never shortened, because it is the value of --brand.
    column('id'),
    column('name', { room: 'flexible' }),
    column('domain', { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    column('archived'),
  ],
};

const ofSummary = (field: 'presence_rate' | 'visibility' | 'needs'): Column<BrandEntry> => {
  const { text, brief: _, explains: __, link: ___, ...column } = columnsOf(brandSummary)(field);
  return { ...column, text: ({ summary }) => summary && text(summary) };
};

const withSummary: TableView<BrandEntry> = {
  ...view,
  columns: [
    ...view.columns.slice(0, 2),
    ofSummary('presence_rate'),
    changeColumn<BrandEntry>('change', ({ summary }) => ({
      metric: 'presence_rate',
      value: summary?.presence_rate ?? null,
      change: summary?.change.presence_rate,
    })),
    ofSummary('visibility'),
    column<'summary', BrandEntry>('summary', {
      head: 'rank',
      text: ({ summary }) => (summary?.rank ? `${summary.rank} of ${summary.ranked}` : null),
    }),
    ofSummary('needs'),
    ...view.columns.slice(2),
  ],
};
