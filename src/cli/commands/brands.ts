import type { BrandEntry } from '../../contract/reads/brands.js';
import { listCommand } from '../base/list-command.js';
import { type TableView, text, yesNo } from '../render/view.js';

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

export default class Brands extends listCommand('brands', { view }) {
  static override examples = ['<%= config.bin %> brands', '<%= config.bin %> brands --all --format csv'];
}
