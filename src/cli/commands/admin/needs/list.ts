import type { AsideNeed, Need } from '../../../../contract/reads/briefing.js';
import { type TableView, text } from '../../../render/view.js';
import { brandFlag } from '../marks/add.js';
import { NeedsCommand } from './aside.js';

interface Row {
  readonly need: Need;
  readonly aside: Omit<AsideNeed, 'need'> | null;
}

const view: TableView<Row> = {
  noun: 'needs',
  columns: [
    text('id', ({ need }) => need.id),
    text('what', ({ need }) => need.text, { room: 'flexible' }),
    text('aside since', ({ aside }) => aside?.since ?? ''),
    text('as', ({ aside }) => aside?.reason ?? ''),
  ],
};

export default class NeedsList extends NeedsCommand {
  static override summary = 'List what needs people, with ids, and what of it is set aside';
  static override examples = ['<%= config.bin %> admin needs list --brand acme'];
  static override flags = { brand: brandFlag };

  override async run(): Promise<void> {
    const { flags } = await this.parse(NeedsList);
    const { needs, aside } = await this.ofBrand(flags, (_, { reads }) => reads.load('briefing'));
    const rows: Row[] = [
      ...needs.map((need) => ({ need, aside: null })),
      ...aside.map(({ need, reason, since }) => ({ need, aside: { reason, since } })),
    ];
    await this.show<Row>(flags, { needs, aside }, view, rows);
  }
}
