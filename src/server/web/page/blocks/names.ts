/** Names in answers that nobody tracks. */
import { title } from '../../../../contract/glossary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { aboutOf, engineName, noun, userText } from '../parts/text.js';

const NAMES: Card = { id: 'names', title: 'Also named' };

export async function names({ ofSlice, isViewer }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('names');
  if ('refused' in read) return card(NAMES, empty(read.refused));
  const { body } = read;
  const rows = body.names.map((row, at) => ({ row, at }));
  type Row = (typeof rows)[number];
  const listed = html`${numberField('names.listed_answers', body.listed_answers)} ${noun(body.listed_answers, 'answer')} whose names were all listed`;
  return card(
    { ...NAMES, read, about: aboutOf(body) },
    html`<p class="lead">Names that nobody tracks, in ${listed}.</p>
    ${
      rows.length === 0
        ? (noteOf(body) ?? empty('None.'))
        : table<Row>({
            label: NAMES.title,
            rows,
            columns: [
              { head: title('name'), cell: ({ row }) => userText(row.name, 80) },
              {
                head: title('answers'),
                kind: 'number',
                cell: ({ row, at }) => numberField(`names.${rowName(row.name, at)}.answers`, row.answers),
              },
              {
                head: 'Prompts',
                kind: 'number',
                cell: ({ row, at }) => numberField(`names.${rowName(row.name, at)}.prompts`, row.prompts),
              },
              { head: 'Engines', kind: 'minor', cell: ({ row }) => row.engines.map(engineName).join(', ') },
            ],
          })
    }
    ${isViewer ? null : html`<p class="foot">To compare yourself with one of them, ask whoever operates this server to track it as a competitor.</p>`}
    ${rows.length === 0 ? null : noteOf(body)}`,
  );
}
