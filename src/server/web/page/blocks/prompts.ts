/** All prompts of a choice, with what changed, how often people ask them, and what being first would be worth. */
import { title } from '../../../../contract/glossary.js';
import type { PromptWithinReach } from '../../../../contract/reads/gaps.js';
import type { Prompt } from '../../../../contract/reads/prompts.js';
import type { Driver } from '../../../../contract/reads/why.js';
import { LEAD_METRIC } from '../../../../contract/summary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, loadedOr, noteAbout, unmeasured } from '../parts/card.js';
import { changeOf, isMove } from '../parts/change.js';
import { decimal, formatOf, headOf, notMeasured, numberField, rowName, whole } from '../parts/numbers.js';
import { type Column, table } from '../parts/table.js';
import { aboutOf, userText } from '../parts/text.js';
import { isChosenBy } from '../slice.js';
import { promptLabels } from './bar.js';
import { WHY_LIMIT } from './headline.js';

export const PROMPTS: Card = { id: 'prompts', title: 'Prompts' };

/** Rows of a page. */
const PAGE_ROWS = 50;

interface Row {
  readonly prompt: Prompt;
  readonly at: number;
  readonly driver: Driver | undefined;
  readonly reach: { readonly row: PromptWithinReach; readonly at: number } | undefined;
}

const sorts: Readonly<Record<string, (row: Row) => number>> = {
  change: ({ driver }) =>
    driver && driver.before !== null && driver.after !== null
      ? Math.abs(driver.after - driver.before) + (isMove(driver.verdict) ? 10 : 0)
      : -1,
  presence: ({ prompt }) => prompt.presence_rate ?? -1,
  visibility: ({ prompt }) => prompt.visibility ?? -1,
  answers: ({ prompt }) => prompt.run_count,
  volume: ({ prompt }) => prompt.est_volume ?? -1,
  impressions: ({ prompt }) => prompt.gsc_impressions_28d ?? -1,
  worth: ({ reach }) => reach?.row.brand_gain ?? -1,
};

export async function prompts(page: Loading): Promise<Markup> {
  const { ofSlice, slice, view, leads, here } = page;
  const [read, why, gaps] = await Promise.all([
    ofSlice.loadIfPossible('prompts'),
    ofSlice.loadIfPossible('why', { metric: LEAD_METRIC, by: 'prompt', limit: WHY_LIMIT }),
    ofSlice.loadIfPossible('gaps', { kind: 'within_reach' }),
  ]);
  if ('refused' in read) return card(PROMPTS, empty(read.refused));
  const drivers = new Map((loadedOr(null, why)?.body.drivers ?? []).map((driver) => [driver.id, driver]));
  const reaches = (loadedOr(null, gaps)?.body.gaps ?? []) as unknown as PromptWithinReach[];
  const reachOf = new Map(reaches.map((row, at) => [row.prompt_id, { row, at }]));
  const isChosen = isChosenBy(slice);
  const sort = view.sort !== undefined && Object.hasOwn(sorts, view.sort) ? view.sort : 'change';
  const all = read.body.prompts
    .map((prompt, at) => ({ prompt, at, driver: drivers.get(prompt.id), reach: reachOf.get(prompt.id) }))
    .filter(({ prompt }) => isChosen(prompt))
    .sort((a, b) => sorts[sort]!(b) - sorts[sort]!(a));
  if (all.length === 0) return card(PROMPTS, unmeasured(read.body, 'No prompt is active.'));
  const start = Math.max(0, Number(view.cursor) || 0);
  const rows = all.slice(start, start + PAGE_ROWS);
  const has = (name: string) => all.some((row) => sorts[name]!(row) > 0);
  // The read has no filter of regions and surfaces: its numbers stand for other answers then.
  const isExact = read.beyond === undefined;
  const field = ({ prompt, at }: Row) => `prompts.${rowName(prompt.id, at)}`;
  const labels = promptLabels(page, leads);
  const columns: (Column<Row> | null)[] = [
    {
      head: title('prompt'),
      cell: ({ prompt }) =>
        html`<a href=${leads.prompt(prompt.id)}>${userText(prompt.text)}</a> ${labels(prompt)}`,
    },
    {
      head: 'Named in',
      kind: 'number',
      sort: 'presence',
      cell: (row) =>
        numberField(`${field(row)}.presence_rate`, row.prompt.presence_rate, formatOf(LEAD_METRIC)),
    },
    {
      head: 'Change',
      kind: 'words',
      sort: 'change',
      cell: ({ driver, prompt }) =>
        driver &&
        changeOf({
          answers: prompt.run_count,
          metric: LEAD_METRIC,
          now: driver.after,
          before: driver.before,
          verdict: driver.verdict,
          isOwn: true,
        }),
    },
    {
      head: headOf('visibility'),
      kind: 'number minor',
      sort: 'visibility',
      cell: (row) => numberField(`${field(row)}.visibility`, row.prompt.visibility),
    },
    {
      head: title('answers'),
      kind: 'number',
      sort: 'answers',
      cell: (row) => {
        const { run_count, id } = row.prompt;
        const number = numberField(`${field(row)}.run_count`, run_count);
        const href = run_count > 0 && isExact ? leads.answers({}, { prompt: [id] }) : null;
        return href === null ? number : html`<a href=${href}>${number}</a>`;
      },
    },
    has('volume')
      ? {
          head: 'Searches a month',
          kind: 'number minor',
          sort: 'volume',
          cell: (row) => numberField(`${field(row)}.est_volume`, row.prompt.est_volume),
        }
      : null,
    has('impressions')
      ? {
          head: 'Search Console, 28 days',
          kind: 'number minor',
          sort: 'impressions',
          cell: (row) => numberField(`${field(row)}.gsc_impressions_28d`, row.prompt.gsc_impressions_28d),
        }
      : null,
    has('worth')
      ? {
          head: 'If first: on your score',
          kind: 'number minor',
          sort: 'worth',
          cell: ({ reach }) =>
            reach === undefined
              ? notMeasured()
              : html`<span data-source=${loadedOr(null, gaps)?.source}>+${numberField(`gaps.${reach.at}.brand_gain`, reach.row.brand_gain, decimal)}</span>`,
        }
      : null,
  ];
  return card(
    { ...PROMPTS, about: aboutOf(read.body), read },
    html`${table({
      label: PROMPTS.title,
      rows,
      columns,
      sorting: { by: sort, to: (name) => here({ sort: name }) },
    })}
    ${'refused' in why ? null : noteAbout('chance_among_many', why.body)}
    ${pageLinks(start, rows.length, all.length, (cursor) => here({ sort, cursor }))}`,
  );
}

/** Where a list goes on, and where it begins. */
export const pageLinks = (
  start: number,
  shown: number,
  all: number,
  to: (cursor: number) => string,
): Markup =>
  start === 0 && shown === all
    ? null
    : html`<p class="foot pages">${whole(start + 1)} – ${whole(start + shown)} of ${whole(all)}${start > 0 ? html` <a href=${to(Math.max(0, start - PAGE_ROWS))}>Before</a>` : null}${start + shown < all ? html` <a href=${to(start + PAGE_ROWS)}>Next</a>` : null}</p>`;
