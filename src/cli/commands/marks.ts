import { isForPrompts, type Mark, marks } from '../../contract/reads/marks.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import { type TableView, text } from '../render/view.js';

export default class Marks extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 1.8 };
  static override summary = marks.summary;
  static override description =
    '`svc effect MARK` says whether it helped. Marks come from `[[mark]]` in svc.toml, from `svc admin marks add` and from imports.';
  static override examples = ['<%= config.bin %> marks', '<%= config.bin %> marks --format csv'];
  static override flags = readFlags(marks);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Marks);
    return printRead(this, flags, marks, {
      request: (svc, params, options) => svc.marks(params, options),
      view: {
        table: () => marksView,
        draw: ({ brand, marks: rows }, document) => {
          document.title(`Marks · ${brand.name}`);
          document.table(null, marksView, rows);
        },
      },
    });
  }
}

/** What it was done for. */
const subjectOf = (row: Mark): string =>
  isForPrompts(row) ? (row.prompts ?? row.topics ?? row.tags)!.join(', ') : 'only a flag';

export const marksView: TableView<Mark> = {
  noun: 'marks',
  columns: [
    text('day', ({ day }) => day),
    text('what', (row) => row.text, { room: 'flexible' }),
    text('done for', subjectOf, { room: 'flexible' }),
    text('id', ({ id }) => id),
    text('pages', ({ pages }) => (pages ?? []).join(' '), { room: 'spare' }),
  ],
};
