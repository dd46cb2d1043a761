import type { Source } from '../../contract/reads/sources.js';
import { label } from '../render/columns.js';
import { count, type TableView, words, yesNo } from '../render/view.js';

export const sourcesView: TableView<Source> = {
  noun: 'sources',
  columns: [
    words('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    label,
    count('citations', (row) => row.citations),
    yesNo('brand present', (row) => row.brand_present),
  ],
};
