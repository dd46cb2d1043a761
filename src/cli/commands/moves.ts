import { type Move, move, moves } from '../../contract/reads/moves.js';
import { counted, plural } from '../../contract/wording.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf } from '../render/view.js';
import { shellWord } from '../render/wording.js';

const column = columnsOf(move);

export default listCommand(moves, {
  inHelp: { group: 'VISIBILITY', place: 1.7 },
  description:
    'A metric is told when its verdict holds on two nights in a row, among all metrics of the brand, of each engine and of ' +
    'competitors, so that a brand that is quiet is told of hardly any. It is told once, with what else a night has, and ' +
    'current until it reverts or is ' +
    '28 days old. So are new models, crawlers that went silent or are refused, a changed robots.txt, missed collections, ' +
    'and pages of the site that fail.',
  examples: ['', '--limit 5 --format csv'],
  request: (svc) => svc.moves,
  view: {
    noun: 'moves',
    columns: [
      column('day'),
      column('text', { head: 'what' }),
      column('because', { text: ({ because }) => because ?? '' }),
      column('role', { head: 'told as', room: 'spare' }),
      column('current'),
      column('why', { head: 'its drivers', text: (row) => whyCommand(row) ?? '' }),
    ],
    items: (rows) => groupedRows(rows).map(itemOf),
  },
});

/** Rows that were told together. The headline may be on the page before. */
function groupedRows(rows: readonly Move[]): Move[][] {
  const groups = [...new Set(rows.map(({ group }) => group))].map((id) =>
    rows.filter(({ group }) => group === id),
  );
  const isTold = ({ role }: Move) => role !== 'folded';
  const placeOf = (group: readonly Move[]) => rows.indexOf(group.find(isTold) ?? group[0]!);
  return groups
    .map((group) => [...group.filter(isTold), ...group.filter((row) => !isTold(row))])
    .sort((a, b) => placeOf(a) - placeOf(b));
}

function itemOf(group: readonly Move[]) {
  const [first] = group as [Move, ...Move[]];
  const [told, ...others] = group.filter(({ role }) => role !== 'folded');
  const folded = group.length - others.length - Number(told !== undefined);
  return {
    heading: first.current ? first.day : `${first.day} · no longer current`,
    lines: [
      ...(told ? [told.text, told.because, whyCommand(told)] : []),
      ...others.map(({ text }) => `· ${text}`),
      folded === 0
        ? null
        : `${counted(folded, 'move')} of engines or rivals that ${plural(folded, 'says', 'say')} the same`,
    ].filter((line) => line !== null),
  };
}

/** The command that shows the drivers. */
function whyCommand({ why }: Move): string | null {
  if (why === null) return null;
  const engine = why.engine === null ? '' : ` --engine ${shellWord(why.engine)}`;
  return `svc why ${why.metric} --from ${why.from} --to ${why.to}${engine}`;
}
