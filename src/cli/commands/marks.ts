import { isForPrompts, type Mark, mark, marks } from '../../contract/reads/marks.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, type TableView, text } from '../render/view.js';

export default readCommand(marks, {
  inHelp: { group: 'VISIBILITY', place: 1.8 },
  description:
    '`svc effect MARK` says whether it helped. Marks come from `[[mark]]` in svc.toml, from `svc admin marks add` and from imports.',
  request: (svc) => svc.marks,
  title: ({ brand }) => [`Marks · ${brand.name}`],
  table: () => marksView,
});

/** What it was done for. */
const subjectOf = (row: Mark): string =>
  isForPrompts(row) ? (row.prompts ?? row.topics ?? row.tags)!.join(', ') : 'only a flag';

const column = columnsOf(mark);

export const marksView: TableView<Mark> = {
  noun: 'marks',
  columns: [
    column('day'),
    column('text', { head: 'what', room: 'flexible' }),
    text('done for', subjectOf, { room: 'flexible' }),
    column('id'),
    column('pages', { text: ({ pages }) => (pages ?? []).join(' '), room: 'spare' }),
  ],
};
