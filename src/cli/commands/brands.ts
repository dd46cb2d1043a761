import { type BrandEntry, brands } from '../../contract/reads/brands.js';
import { ApiCommand } from '../base/api-command.js';
import { listFlags } from '../base/flags.js';
import { printList } from '../base/list.js';
import { type TableView, text, yesNo } from '../render/view.js';

export default class Brands extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 12 };
  static override summary = brands.summary;
  static override examples = ['<%= config.bin %> brands', '<%= config.bin %> brands --all --format csv'];
  static override flags = listFlags(brands);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Brands);
    return printList(this, flags, brands, { request: (svc) => svc.brands, view });
  }
}

const view: TableView<BrandEntry> = {
  noun: 'brands',
  columns: [
    // Never shortened, because it is the value of --brand.
    text('id', (row) => row.id),
    text('name', (row) => row.name, { room: 'flexible' }),
    text('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    yesNo('archived', (row) => row.archived),
  ],
};
