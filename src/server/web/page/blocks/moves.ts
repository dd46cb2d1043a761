/** What happened, told once: good and bad moves, newest first. */
import { differenceSeen, differenceText } from '../../../../contract/measures.js';
import type { Move } from '../../../../contract/reads/moves.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { day, span, userText } from '../parts/text.js';

const MOVES: Card = { id: 'moves', title: 'Moves' };

export async function moves({ ofSlice, leads }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('moves');
  if ('refused' in read) return card(MOVES, empty(read.refused));
  const rows = read.body.moves.map((row, at) => ({ row, at })).filter(({ row }) => row.role !== 'folded');
  type Row = (typeof rows)[number];
  return card(
    { ...MOVES, read, about: 'what was more than chance, told on the day that it was seen' },
    rows.length === 0
      ? (noteOf(read.body) ?? empty('Nothing moved by more than chance.'))
      : html`${table<Row>({
          label: MOVES.title,
          rows,
          columns: [
            { head: 'Day', cell: ({ row }) => day(row.day) },
            { head: 'What', kind: 'words', cell: ({ row }) => textOf(row, leads) },
            {
              head: 'Change',
              kind: 'number',
              cell: ({ row, at }) =>
                row.difference === null || row.metric === null
                  ? null
                  : html`<span class=${`verdict ${row.direction ?? ''}${row.entity === null ? (row.direction === 'up' ? ' good' : ' bad') : ''}`}>${numberField(`moves.${at}.difference`, row.difference, () => seen(row))}</span>`,
            },
            {
              head: 'Days',
              kind: 'minor',
              cell: ({ row }) => row.window && span(row.window.start, row.window.end),
            },
          ],
        })}${noteOf(read.body)}`,
  );
}

/** The difference of the two values as the sentence shows them. */
const seen = ({ metric, before, after, difference }: Move): string =>
  differenceText(
    metric!,
    before === null || after === null ? difference! : differenceSeen(metric!, after, before),
  );

function textOf(move: Move, leads: Loading['leads']): Markup {
  const { text, because, why, current } = move;
  const words = userText(text, 240);
  return html`${why === null ? words : html`<a href=${leads.move({ ...why, metric: why.metric })}>${words}</a>`}${because === null ? null : html`<small class="under">${userText(because, 240)}</small>`}${current ? null : html`<small class="under">not any more</small>`}`;
}
