/** The searches that engines ran for answers. */
import { label } from '../../../../contract/glossary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty } from '../parts/card.js';
import { numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { aboutOf, engineName, userText } from '../parts/text.js';

const MAX_ROWS = 30;

export const SEARCHES: Card = { id: 'searches', title: 'Searches behind the answers' };

/** @param prompt Only those for this prompt; if omitted, for any. Null under a filter that the read does not have: it would show what others search for. */
export async function searches({ ofSlice, slice, leads }: Loading, prompt?: string): Promise<Markup> {
  if (slice.engine || slice.region || slice.surface) return null;
  const read = await ofSlice.loadIfPossible('fanouts');
  if ('refused' in read) return card(SEARCHES, empty(read.refused));
  const rows = read.body.fanouts
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => prompt === undefined || row.prompts.includes(prompt));
  type Row = (typeof rows)[number];
  return card(
    { ...SEARCHES, about: aboutOf({ ...read.body, slice: null }), read },
    rows.length === 0
      ? empty(`No engine showed a search${prompt === undefined ? '' : ' for this prompt'}.`)
      : table<Row>({
          label: SEARCHES.title,
          rows: rows.slice(0, MAX_ROWS),
          columns: [
            {
              head: 'Search',
              cell: ({ row }) =>
                html`${userText(row.query, 120)}${row.is_echo ? html` <span class="label">${label('repeatsPrompt')}</span>` : null}`,
            },
            {
              head: 'Answers',
              kind: 'number',
              cell: ({ row, at }) => numberField(`fanouts.${rowName(row.query, at)}.runs`, row.runs),
            },
            { head: 'Engines', kind: 'minor', cell: ({ row }) => row.engines.map(engineName).join(', ') },
            prompt === undefined
              ? {
                  head: 'Prompts',
                  kind: 'words',
                  cell: ({ row }) =>
                    row.prompts.length === 1
                      ? html`<a href=${leads.prompt(row.prompts[0]!)}>1 prompt</a>`
                      : `${row.prompts.length} prompts`,
                }
              : null,
          ],
        }),
  );
}
