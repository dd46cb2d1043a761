import type { Source } from '../../contract/reads/sources.js';
import { listCommand } from '../base/list-command.js';
import { label } from '../render/shared-columns.js';
import { count, type TableView, text, yesNo } from '../render/view.js';

const view: TableView<Source> = {
  noun: 'sources',
  columns: [
    text('domain', (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    label,
    count('citations', (row) => row.citations),
    yesNo('brand present', (row) => row.brand_present),
  ],
};

export default class Sources extends listCommand('sources', { view }) {
  static override examples = ['<%= config.bin %> sources', '<%= config.bin %> sources --all --format csv'];
}
