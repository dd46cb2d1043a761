/** What moved: a metric by engine, topic, region or prompt, the largest change first. */
import { engines } from '../../../../contract/engines.js';
import { capital } from '../../../../contract/glossary.js';
import { averagedMeasures, type MeasureName, measureNames } from '../../../../contract/measures.js';
import type { Driver } from '../../../../contract/reads/why.js';
import { LEAD_METRIC, metricWords } from '../../../../contract/summary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteAbout, noteOf } from '../parts/card.js';
import { changeOf, isMove } from '../parts/change.js';
import { formatOf, numberField, rowName, whole } from '../parts/numbers.js';
import { type Column, rail, table } from '../parts/table.js';
import { engineName, regionName, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';
import { type Filter, slicedReads, withFilter } from '../slice.js';
import { VIEW_CUTS, type ViewCut } from '../view.js';
import { TILES, WHY_LIMIT } from './headline.js';

/** Rows on the first screen; a list of prompts has a page. */
const MAX_ROWS = 12;

export const MOVED: Card = { id: 'why', title: 'Which engine moved?' };

const QUESTIONS: Readonly<Record<ViewCut, string>> = {
  engine: 'Which engine moved?',
  topic: 'Which topic moved?',
  region: 'Which region moved?',
  prompt: 'Which prompt moved?',
};

interface Read {
  readonly read: Loaded<'why'>;
  /** The answers behind the metric; null: its denominator is not answers. */
  readonly answers: number | null;
}

export async function moved(page: Loading, metric: MeasureName, answers: number): Promise<Markup> {
  const { ofSlice, slice, reads, view, exports } = page;
  const by = view.by ?? 'engine';
  const params = { metric, by, limit: WHY_LIMIT };
  const counted = averagedMeasures.includes(metric);
  // Engines without web search are not in the totals, so they are a list of their own.
  const others = engines.filter(({ blended }) => !blended).map(({ id }) => id);
  const hasOthers = by === 'engine' && slice.engine === undefined && page.limits?.engine === undefined;
  const besides = slicedReads(reads, withFilter(slice, 'engine', others), exports);
  const [read, apart, overview] = await Promise.all([
    ofSlice.loadIfPossible('why', params),
    hasOthers ? besides.loadIfPossible('why', params) : null,
    hasOthers && counted ? besides.loadIfPossible('overview') : null,
  ]);
  if ('refused' in read) return card({ ...MOVED, title: QUESTIONS[by] }, empty(read.refused));
  const own = { read, answers: counted ? answers : null };
  const rest =
    apart === null || 'refused' in apart || apart.body.drivers.length === 0
      ? null
      : {
          read: apart,
          answers: overview === null || 'refused' in overview ? null : overview.body.run_count,
        };
  const { drivers, verdict, reason } = read.body;
  if (drivers.length === 0 && by === 'engine') return levels(page, metric, reason);
  const isKnown = verdict !== 'unknown';
  const hasMoved = [read, ...(rest ? [rest.read] : [])].some(({ body }) =>
    body.drivers.some((one) => isMove(one.verdict)),
  );
  const left = drivers.length - MAX_ROWS;
  const among = noteAbout('chance_among_many', read.body);
  return card(
    {
      id: 'why',
      title: QUESTIONS[by],
      read,
      about: isKnown ? 'blue mark now, grey mark before; band: what may be chance' : undefined,
    },
    html`${switches(page, by, metric)}
    ${drivers.length === 0 ? (noteOf(read.body) ?? empty('There is nothing to compare.')) : list(page, by, metric, own, rest, isKnown)}
    ${left > 0 ? html`<p class="foot"><a href=${page.leads.tab('prompts', { sort: 'change', metric })}>All ${drivers.length} prompts</a></p>` : null}
    ${by === 'engine' ? silent(page, read, rest?.read) : null}
    ${among}
    ${isKnown ? (hasMoved || among ? null : html`<p class="foot">No ${by} moved by more than chance.</p>`) : unknown(metric, reason)}`,
  );
}

/** The engines of the choice that have no answer in these days: not asked, or none was shown. */
function silent({ slice }: Loading, ...all: readonly (Loaded<'why'> | undefined)[]): Markup {
  const measured = new Set(
    all.flatMap((each) =>
      (each?.body.drivers ?? []).flatMap(({ id, kind }) => (kind === 'retired' ? [] : [id])),
    ),
  );
  const names = engines
    .filter(({ id }) => (slice.engine?.includes(id) ?? true) && !measured.has(id))
    .map(({ label }) => label);
  return names.length === 0 ? null : html`<p class="foot">No answer in these days: ${names.join(', ')}.</p>`;
}

/** In the order of the tiles. */
const METRICS = measureNames.toSorted((a, b) => Number(b === LEAD_METRIC) - Number(a === LEAD_METRIC));

/** The links that show the same by something else, or another metric. */
function switches({ here, view }: Loading, by: ViewCut, metric: MeasureName): Markup {
  const to = (more: object) =>
    `${here({ ...(view.metric && { metric }), ...(view.by && { by }), ...more })}#why`;
  return html`<div class="switches">
    <nav aria-label="By">${VIEW_CUTS.map((cut) => html`<a href=${to({ by: cut })} aria-current=${cut === by ? 'true' : undefined}>${cut}</a>`)}</nav>
    <nav aria-label="Metric">${METRICS.map((name) => html`<a href=${to({ metric: name })} aria-current=${name === metric ? 'true' : undefined}>${metricWords(name)}</a>`)}</nav>
  </div>`;
}

/** The metric on each engine where there is nothing to compare it with, as in the first days. */
async function levels(page: Loading, metric: MeasureName, reason: string | null): Promise<Markup> {
  const { slice, reads, leads, limits } = page;
  const within = slice.engine ?? limits?.engine ?? engines.map(({ id }) => id);
  const loaded = await Promise.all(
    within.map(async (engine) => ({
      engine,
      read: await slicedReads(reads, withFilter(slice, 'engine', [engine])).load('overview'),
    })),
  );
  const rows = loaded.filter(({ read }) => read.body.run_count > 0);
  const idle = loaded.filter((each) => !rows.includes(each)).map(({ engine }) => engineName(engine));
  type Level = (typeof rows)[number];
  return card(
    { ...MOVED, title: 'On which engines?' },
    html`${switches(page, 'engine', metric)}
    ${table<Level>({
      label: 'On which engines?',
      rows: rows.toSorted((a, b) => (b.read.body[metric] ?? -1) - (a.read.body[metric] ?? -1)),
      columns: [
        {
          head: 'Engine',
          cell: ({ engine }) => html`<a href=${leads.only('engine', engine)}>${engineName(engine)}</a>`,
        },
        {
          head: 'Now',
          kind: 'number',
          cell: ({ read }) =>
            html`<span data-source=${read.source}>${numberField(`overview.${metric}`, read.body[metric], formatOf(metric))}</span>`,
        },
        {
          head: 'Answers',
          kind: 'number',
          cell: ({ engine, read }) =>
            html`<a data-source=${read.source} href=${leads.answers({}, { engine: [engine] })}>${numberField('overview.run_count', read.body.run_count)}</a>`,
        },
      ],
    })}
    ${idle.length === 0 ? null : html`<p class="foot">No answer in these days: ${idle.join(', ')}.</p>`}
    ${unknown(metric, reason)}`,
  );
}

/** Why the change is not known, where the tiles do not say it. */
const unknown = (metric: MeasureName, reason: string | null): Markup =>
  reason === null || TILES.includes(metric)
    ? null
    : html`<p class="foot">Change unknown: ${userText(reason, 400)}</p>`;

interface Row {
  readonly driver: Driver;
  readonly at: number;
  readonly answers: number | null;
}

/** The largest change first; what is never named last. */
function rowsOf(metric: MeasureName, { read, answers }: Read): Row[] {
  const size = ({ driver }: Row): number => {
    if (isNeverNamed(metric, driver)) return -2;
    if (driver.before === null || driver.after === null) return -1;
    return Math.abs(driver.after - driver.before) + (isMove(driver.verdict) ? 1000 : 0);
  };
  const rows = read.body.drivers.map((driver, at) => ({ driver, at, answers }));
  return rows.sort((a, b) => size(b) - size(a)).slice(0, MAX_ROWS);
}

function list(
  page: Loading,
  by: ViewCut,
  metric: MeasureName,
  own: Read,
  rest: Read | null,
  isKnown: boolean,
): Markup {
  const { leads } = page;
  const format = formatOf(metric);
  const rows = rowsOf(metric, own);
  const others = rest === null ? [] : rowsOf(metric, rest);
  const values = [...rows, ...others].flatMap(({ driver }) => [driver.before ?? 0, driver.after ?? 0]);
  const top = Math.max(...values, 1e-9) * 1.1;
  const field = ({ driver, at }: Row) => `why.drivers.${rowName(driver.id ?? '', at)}`;
  const columns: (Column<Row> | null)[] = [
    { head: capital(by), cell: ({ driver }) => nameOf(page, by, driver) },
    {
      head: 'Now',
      kind: 'number',
      cell: (row) => numberField(`${field(row)}.after`, row.driver.after, format),
    },
    isKnown
      ? {
          head: html`<span class="aural">On a scale from 0</span>`,
          kind: 'gauge',
          cell: ({ driver }) =>
            rail({ now: driver.after, before: driver.before, range: rangeOf(driver) }, top),
        }
      : null,
    isKnown
      ? {
          head: 'Before',
          kind: 'number minor',
          cell: (row) => numberField(`${field(row)}.before`, row.driver.before, format),
        }
      : null,
    isKnown ? { head: 'Change', kind: 'words', cell: (row) => changeWords(metric, row) } : null,
    own.answers === null
      ? null
      : {
          head: 'Answers',
          kind: 'number',
          cell: (row) => {
            const count = countOf(row);
            const { id } = row.driver;
            const href = id === null || !count ? null : leads.answers({}, { [by]: [id] });
            if (count === null) return null;
            return href === null ? whole(count) : html`<a href=${href}>${whole(count)}</a>`;
          },
        },
  ];
  return table({
    label: QUESTIONS[by],
    columns,
    rows,
    source: own.read.source,
    apart:
      rest === null
        ? null
        : { title: 'Without web search, not in the totals', rows: others, source: rest.read.source },
  });
}

/** The answers of a row, whose weight is its part of all. */
const countOf = ({ driver, answers }: Row): number | null =>
  answers === null ? null : Math.round(driver.weight_after * answers);

const isNeverNamed = (metric: MeasureName, { before, after }: Driver): boolean =>
  after === 0 &&
  (before ?? 0) === 0 &&
  (metric === 'visibility' || metric === 'presence_rate' || metric === 'share_of_voice_fraction');

function changeWords(metric: MeasureName, row: Row): Markup {
  const { driver } = row;
  if (isNeverNamed(metric, driver)) return html`<span class="verdict bad">never named</span>`;
  if (driver.kind !== 'both')
    return html`<span class="chance">${driver.kind === 'new' ? 'new' : 'not asked any more'}</span>`;
  const { after: now, before, verdict } = driver;
  const answers = countOf(row);
  return changeOf({ metric, now, before, verdict, isOwn: true, ...(answers !== null && { answers }) });
}

/** How far chance alone may move the value: half of the interval of the change, on both sides. */
function rangeOf({ after, interval, weight_before, weight_after }: Driver): [number, number] | null {
  const weight = (weight_before + weight_after) / 2;
  if (interval === null || after === null || weight === 0) return null;
  const half = (interval[1] - interval[0]) / 2 / weight;
  return [after - half, after + half];
}

function nameOf({ leads }: Loading, by: ViewCut, { id, name }: Driver): Markup {
  const text = by === 'engine' ? engineName(name) : by === 'region' ? regionName(name) : userText(name, 90);
  if (id === null) return text;
  const href = by === 'prompt' ? leads.prompt(id) : leads.only(by as Filter, id);
  return href === null ? text : html`<a href=${href}>${text}</a>`;
}
