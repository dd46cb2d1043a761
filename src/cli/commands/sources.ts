import { label } from '../../contract/glossary.js';
import type { Source } from '../../contract/reads/sources.js';
import { listCommand } from '../base/list-command.js';
import { kind } from '../render/shared-columns.js';
import { count, type TableView, text } from '../render/view.js';

const view: TableView<Source> = {
  noun: label('citedDomains'),
  columns: [
    text(label('domain'), (row) => row.domain, { room: 'flexible', link: (row) => `https://${row.domain}/` }),
    kind,
    count(label('citations'), (row) => row.citations),
  ],
};

export default class Sources extends listCommand('sources', { view }) {
  static override examples = ['<%= config.bin %> sources', '<%= config.bin %> sources --all --format csv'];
}
