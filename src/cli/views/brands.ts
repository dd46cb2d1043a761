import type { BrandEntry } from '../../contract/reads/brands.js';
import { type TableView, words, yesNo } from '../render/view.js';

export const brandsView: TableView<BrandEntry> = {
  noun: 'brands',
  columns: [
    // Whole, because it is what --brand takes.
    words('id', (row) => row.id),
    words('name', (row) => row.name, { room: 'flexible' }),
    words('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    yesNo('archived', (row) => row.archived),
  ],
};
