import type { Source } from '../../contract/reads/sources.js';
import { count, type TableView, words, yesNo } from '../view.js';
import { label } from './columns.js';

export const sourcesView: TableView<Source> = {
  noun: 'sources',
  columns: [
    words('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    label,
    count('citations', (row) => row.citations),
    yesNo('brand present', (row) => row.brand_present),
  ],
};
