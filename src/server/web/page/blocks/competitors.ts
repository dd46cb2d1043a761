/** The brand and its competitors, by share of voice. */
import { capital, title } from '../../../../contract/glossary.js';
import { type EntityMeasure, entityMeasureNames } from '../../../../contract/measures.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { placeOf } from '../../../../contract/summary.js';
import { inWords } from '../../../../contract/wording.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty } from '../parts/card.js';
import { changeOf } from '../parts/change.js';
import { decimal, formatOf, headOf, numberField, rowName } from '../parts/numbers.js';
import { type Column, rail, type Sorting, table } from '../parts/table.js';
import { aboutOf, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const COMPETITORS: Card = { id: 'competitors', title: 'Against whom?' };

const BY: EntityMeasure = 'share_of_voice_fraction';
/** Rows of the first screen; the row of the brand is always there. */
const MAX_ROWS = 7;
const NO_RIVAL =
  'No competitor is tracked. Ask whoever operates this server to add those that your customers compare you with.';

interface Row {
  readonly row: Competitor;
  readonly at: number;
}

const field = ({ row, at }: Row): string => `competitors.${rowName(row.id, at)}`;

const nameColumn = ({ leads }: Loading): Column<Row> => ({
  head: title('name'),
  sort: 'name',
  cell: ({ row }) =>
    row.is_brand
      ? userText(row.name, 60)
      : html`<a href=${leads.competitor(row.id)}>${userText(row.name, 60)}</a>`,
});

const valueColumn = (measure: EntityMeasure): Column<Row> => ({
  head: headOf(measure),
  kind: 'number',
  sort: measure,
  cell: (each) => numberField(`${field(each)}.${measure}`, each.row[measure], formatOf(measure)),
});

const changeColumn = (measure: EntityMeasure): Column<Row> => ({
  head: 'Change',
  kind: 'words',
  cell: ({ row }) =>
    changeOf({
      metric: measure,
      now: row[measure],
      before: row.change[measure].previous,
      verdict: row.change[measure].verdict,
      isOwn: row.is_brand,
    }),
});

export async function against(page: Loading): Promise<Markup> {
  const read = await page.ofSlice.loadIfPossible('competitors');
  if ('refused' in read) return card(COMPETITORS, empty(read.refused));
  const all = read.body.competitors.map((row, at) => ({ row, at }));
  const shown = all.filter(({ row }, at) => at < MAX_ROWS || row.is_brand);
  return card(
    { ...COMPETITORS, read, about: 'by share of voice' },
    all.length < 2
      ? empty(NO_RIVAL)
      : html`${table({
          label: COMPETITORS.title,
          rows: shown,
          columns: [nameColumn(page), { ...valueColumn(BY), head: 'Now' }, changeColumn(BY)],
          isOwn: ({ row }) => row.is_brand,
        })}
        ${lastPlace(read)}
        ${all.length > shown.length ? html`<p class="foot"><a href=${page.leads.tab('competitors')}>All ${inWords(all.length - 1)} rivals</a></p>` : null}`,
  );
}

/** What a brand that is last is behind: the leader and the next one. */
function lastPlace({ body: { competitors } }: Loaded<'competitors'>): Markup {
  const place = competitors.findIndex(({ is_brand }) => is_brand);
  const own = competitors[place];
  const ahead = competitors.slice(0, Math.max(0, place));
  const isLast = competitors.slice(place + 1).every((row) => (row[BY] ?? 0) >= (own?.[BY] ?? 0));
  const [leader, next] = [ahead[0], ahead.findLast((row) => (row[BY] ?? 0) > (own?.[BY] ?? 0))];
  if (!own || !isLast || !leader || !next || own[BY] === null) return null;
  return html`<p class="foot">${capital(placeOf(competitors) ?? '')}, behind ${userText(leader.name, 40)} (leader)${next === leader ? '' : html` and ${userText(next.name, 40)} (next)`}.</p>`;
}

/** All of them with every measure, sorted by one. */
export async function rivals(page: Loading, sorting: Sorting): Promise<Markup> {
  const read = await page.ofSlice.loadIfPossible('competitors');
  if ('refused' in read) return card({ ...COMPETITORS, title: 'Rivals' }, empty(read.refused));
  const by = entityMeasureNames.find((name) => name === sorting.by) ?? BY;
  const value = ({ row }: Row): number => row[by] ?? -1;
  const rows = read.body.competitors
    .map((row, at) => ({ row, at }))
    .sort((a, b) =>
      sorting.by === 'name' ? a.row.name.localeCompare(b.row.name, 'en') : value(b) - value(a),
    );
  const top = Math.max(...rows.map(value), 1e-9) * 1.1;
  const railColumn: Column<Row> = {
    head: html`<span class="aural">On a scale from 0</span>`,
    kind: 'gauge',
    cell: ({ row }) => rail({ now: row[by], before: row.change[by].previous, range: row.intervals[by] }, top),
  };
  return card(
    { ...COMPETITORS, title: 'Rivals', about: aboutOf(read.body), read },
    rows.length < 2
      ? empty(NO_RIVAL)
      : table({
          label: 'Rivals',
          rows,
          sorting: { by: sorting.by === 'name' ? 'name' : by, to: sorting.to },
          isOwn: ({ row }) => row.is_brand,
          columns: [
            nameColumn(page),
            ...entityMeasureNames
              .toSorted((a, b) => Number(b === by) - Number(a === by))
              .flatMap((measure) =>
                measure === by ? [valueColumn(by), railColumn, changeColumn(by)] : [valueColumn(measure)],
              ),
            {
              head: title('avg_position'),
              kind: 'number minor',
              cell: (each) => numberField(`${field(each)}.avg_position`, each.row.avg_position, decimal),
            },
          ],
        }),
  );
}
