import type { Source } from '../../contract/reads/sources.js';
import { count, type TableView, words, yesNo } from '../view.js';

export const sourcesView: TableView<Source> = {
  noun: 'sources',
  columns: [
    words('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    words('label', (row) => row.classification + (row.overridden ? ' (set by you)' : '')),
    count('citations', (row) => row.citations),
    yesNo('brand present', (row) => row.brand_present),
  ],
};
