/** The record of one collected answer, with its mentions, citations, carousels, ad and fan-out queries. */
import { z } from 'zod';
import { adEngineIds, carouselEngineIds } from '../../../../contract/engines.js';
import { type Tone, tones } from '../../../../contract/reads/answers.js';
import {
  type Observable,
  observables,
  runOutcomes,
  type Surface,
  surfaces,
} from '../../../../contract/surfaces.js';
import { observedBit } from '../../../answers/sums/collection.js';
import { engine, id, isoTime, name, optional, positive, text, time } from '../../../base/fields.js';
import { copyInto, copyRow } from '../../../database/copy.js';
import { type ImportedBrand, MAX_ADDED } from '../brand-catalog.js';
import { type CitedPage, type CitedTitle, ensurePages } from '../cited-urls.js';
import { RUN_TABLES, type RunTable, STORED_RUNS } from '../probes.js';
import { addLines, type ImportSession } from '../session.js';
import {
  AD,
  ad,
  CAROUSELS,
  type Children,
  carousel,
  childrenContent,
  exportedChildren,
  type SelectedChildren,
  stageChildren,
} from './run-children.js';
import { type Descriptor, omitNulls, unlessEmpty } from './table.js';

const mention = z
  .strictObject({ name, order: positive, sentiment: optional(z.enum(tones)), evidence: optional(text) })
  .refine((value) => value.evidence == null || value.sentiment != null, {
    path: ['evidence'],
    error: 'expected no evidence where there is no sentiment',
  });

/** Which names were looked for in an answer; absent: every name, tracked or not. */
const nameSearches = ['tracked'] as const;

const isAmong = (ids: readonly string[], engine: string): boolean => ids.includes(engine);

const isEmpty = (run: {
  answer?: string | null | undefined;
  mentions: unknown[];
  citations: unknown[];
  carousels?: unknown[] | null | undefined;
  ad?: unknown;
  fanouts?: unknown[] | null | undefined;
}): boolean =>
  run.answer == null &&
  [run.mentions, run.citations, run.carousels, run.fanouts].every((list) => !list?.length) &&
  run.ad == null;

const schema = z
  .strictObject({
    type: z.literal('run'),
    id,
    brand: id,
    prompt: id,
    engine,
    model: optional(text),
    region: text,
    surface: optional(z.enum(surfaces)),
    collected_at: time,
    outcome: optional(z.enum(runOutcomes)),
    observes: optional(z.array(z.enum(observables))),
    names: optional(z.enum(nameSearches)),
    answer: optional(text),
    mentions: z.array(mention),
    citations: z.array(z.strictObject({ url: text, title: optional(text) })),
    carousels: optional(z.array(carousel)),
    ad: optional(ad),
    fanouts: optional(z.array(text)),
  })
  .refine(
    (value) =>
      !value.carousels?.length ||
      value.observes?.includes('carousels') ||
      isAmong(carouselEngineIds, value.engine),
    {
      path: ['carousels'],
      error: `expected none: only ${carouselEngineIds.join(', ')} carry product data, or runs whose observes has carousels`,
    },
  )
  .refine(
    (value) => value.ad == null || value.observes?.includes('ads') || isAmong(adEngineIds, value.engine),
    {
      path: ['ad'],
      error: `expected none: only ${adEngineIds.join(', ')} states ads, or runs whose observes has ads`,
    },
  )
  .refine((value) => value.outcome !== 'not_shown' || isEmpty(value), {
    path: ['outcome'],
    error: 'expected no answer, mentions, citations, carousels, ad and fanouts where nothing was shown',
  });

export type Run = z.infer<typeof schema>;

// The rows of a run in the text format of COPY. All that needs no look-up is encoded when the run is read: of a record,
// which is many small objects, only a few texts stay in memory until its batch is written.

const COLLECTED_COLUMNS = 'id, day, collected_at, engine, region, model, surface, observes';
const RUN_COLUMNS = `brand_key, prompt_key, m_name, c_url, c_title, f_query, ${COLLECTED_COLUMNS},
  states_outcome, m_order, m_tone, m_evidence, quotes_negative, quotes_neutral, quotes_positive, tracked_names`;

/** The columns of each table. Only the table of answers has what is in one. */
const COLUMNS: Readonly<Record<RunTable, string>> = {
  runs: RUN_COLUMNS,
  unshown_runs: `brand_key, prompt_key, ${COLLECTED_COLUMNS}`,
};

interface WaitingRun {
  readonly line: number;
  readonly brand: string;
  readonly id: string;
  readonly table: RunTable;
  readonly prompt: string;
  /** Its UTC day. */
  readonly day: string;
  readonly names: readonly string[];
  /** Whether only tracked names were looked for in its answer. */
  readonly tracksNames: boolean;
  readonly pages: readonly CitedPage[];
  readonly titles: readonly (CitedTitle | null)[];
  readonly queries: readonly string[];
  /** The values of the columns of its table from `id` on. */
  readonly encoded: string;
  /** The answer as a value of COPY; null: there is none. */
  readonly answer: string | null;
  /** Its carousels and ad; null: it has none. */
  readonly children: Children | null;
}

/** A tone as it is stored: -1, 0 or 1. */
const toneNumber = (tone: Tone): number => tones.indexOf(tone) - 1;

const observedBits = (observes: readonly Observable[]): number =>
  observes.reduce((bits, each) => bits | observedBit(each), 0);

function waitingRun(session: ImportSession, line: number, run: Run): WaitingRun {
  const { brand, id, prompt, engine, mentions, citations } = run;
  const time = isoTime(run.collected_at);
  const day = time.slice(0, 10);
  const pages = citations.map(({ url }) => session.pages.page(brand, url));
  const table = run.outcome === 'not_shown' ? 'unshown_runs' : 'runs';
  const collected = [
    ...[id, day, time, engine, run.region, run.model ?? '', run.surface ?? ''],
    observedBits(run.observes ?? []),
  ];
  const answered = [
    run.outcome != null,
    mentions.map(({ order }) => order),
    mentions.map(({ sentiment }) => (sentiment == null ? null : toneNumber(sentiment))),
    mentions.map(({ evidence }) => evidence ?? null),
    quotes(mentions, 'negative'),
    quotes(mentions, 'neutral'),
    quotes(mentions, 'positive'),
    run.names === 'tracked',
  ];
  return {
    line,
    brand,
    id,
    table,
    prompt,
    day,
    names: mentions.map(({ name }) => name),
    tracksNames: table === 'runs' && run.names === 'tracked',
    pages,
    titles: citations.map(({ title }, at) =>
      title == null ? null : session.pages.title(brand, pages[at]!, title),
    ),
    queries: run.fanouts ?? [],
    encoded: copyRow(table === 'runs' ? [...collected, ...answered] : collected),
    answer: run.answer == null ? null : copyRow([run.answer]),
    children:
      run.carousels?.length || run.ad != null
        ? { engine, time, carousels: run.carousels ?? [], ad: run.ad ?? null }
        : null,
  };
}

/** How many mentions with this tone have a quote. */
const quotes = (mentions: Run['mentions'], tone: Tone): number =>
  mentions.reduce((sum, m) => (m.sentiment === tone && m.evidence != null ? sum + 1 : sum), 0);

interface StagedRun {
  readonly brand: ImportedBrand;
  readonly run: WaitingRun;
  /** The values of the columns of its table. */
  readonly row: string;
  /** The table that has a run with this id; null: none has. */
  stored: RunTable | null;
}

/** The row of a run whose texts have their keys. */
function stagedRun(session: ImportSession, brand: ImportedBrand, run: WaitingRun): StagedRun {
  const prompt = [brand.key, session.brands.promptKey(brand, run.prompt)];
  const texts = [
    run.names.map((name) => session.names.keyOf(brand.key, name)),
    run.pages.map(({ key }) => key),
    run.titles.map((title) => (title === null ? null : title.key)),
    run.queries.map((query) => session.queries.keyOf(brand.key, query)),
  ];
  const keys = copyRow(run.table === 'runs' ? [...prompt, ...texts] : prompt);
  return { brand, run, row: `${keys}\t${run.encoded}`, stored: null };
}

/** The content of a run in one normal form, so that two lines of the same run can be compared. */
const contentOf = ({ run: { answer, children }, row }: StagedRun): string =>
  `${row}\t${answer ?? '\\N'}\t${childrenContent(children)}`;

async function writeRuns(session: ImportSession, batch: readonly WaitingRun[]): Promise<void> {
  // Before anything is awaited, because the next batch adds pages meanwhile.
  const newPages = session.pages.takeNew();
  const byBrand = new Map<string, WaitingRun[]>();
  for (const run of batch) {
    const group = byBrand.get(run.brand);
    if (group) group.push(run);
    else byBrand.set(run.brand, [run]);
  }
  const brands = await session.brands.getAll(byBrand.keys());
  const staged: StagedRun[] = [];
  for (const [id, group] of byBrand) {
    const brand = brands.get(id)!;
    await ensureEntries(session, brand, group);
    const added = newPages.get(id);
    if (added) await ensurePages(session, brand, added);
    staged.push(...(await stageLines(session, brand, group)));
  }
  await storeRuns(session, staged);
  await stageChildren(session, staged);
}

/** Ensures that the dictionaries have every name and search of the batch. */
async function ensureEntries(
  session: ImportSession,
  brand: ImportedBrand,
  batch: readonly WaitingRun[],
): Promise<void> {
  const names = new Set<string>();
  const queries = new Set<string>();
  for (const run of batch) {
    for (const name of run.names) names.add(name);
    for (const query of run.queries) queries.add(query);
  }
  await session.names.ensure(brand.key, names);
  await session.queries.ensure(brand.key, queries);
}

/** Notes the lines, and returns one row for each run. Of two lines with one id the later one is written. */
async function stageLines(
  session: ImportSession,
  brand: ImportedBrand,
  batch: readonly WaitingRun[],
): Promise<StagedRun[]> {
  const staged = new Map<string, StagedRun>();
  const lines = batch.map((run) => {
    const row = stagedRun(session, brand, run);
    const { line, id, prompt: ref } = run;
    staged.set(id, row);
    return { line, type: 'run' as const, brand: brand.id, key: id, content: contentOf(row), ref, id };
  });
  await addLines(session, lines);
  await noteStored(session, brand, staged);
  for (const row of staged.values()) noteDay(brand, row);
  return [...staged.values()];
}

/** Marks the rows whose runs are stored, and notes their former days. */
async function noteStored({ trx }: ImportSession, brand: ImportedBrand, staged: Map<string, StagedRun>) {
  const { rows } = await trx.raw(STORED_RUNS, { brandKey: brand.key, ids: [...staged.keys()] });
  const replaced = rows.map(({ id, day, stored }: { id: string; day: string; stored: RunTable }) => {
    const row = staged.get(id)!;
    row.stored = stored;
    brand.replacedDays.add(day);
    return copyRow([brand.key, id, day, row.run.answer !== null]);
  });
  brand.replacedRuns += replaced.length;
  await copyInto(trx, 'replaced_runs', replaced);
}

function noteDay(brand: ImportedBrand, { run, stored }: StagedRun): void {
  if (run.tracksNames && run.answer !== null) brand.hasTrackedNames = true;
  if (stored !== null) {
    brand.replacedDays.add(run.day);
    return;
  }
  const added = brand.addedRuns.get(run.day) ?? { count: 0, ids: [] };
  brand.addedRuns.set(run.day, added);
  if (added.count++ < MAX_ADDED) added.ids.push(run.id);
}

async function storeRuns({ trx }: ImportSession, staged: readonly StagedRun[]): Promise<void> {
  const fresh = staged.filter((each) => !isMerged(each));
  await deleteStored(trx, fresh);
  for (const table of RUN_TABLES) {
    const rows = fresh.filter(({ run }) => run.table === table).map(({ row }) => row);
    await copyInto(trx, `${table} (${COLUMNS[table]})`, rows);
  }
  await copyInto(
    trx,
    'run_answers (brand_key, run_id, answer)',
    fresh.flatMap(({ brand, run: { id, answer } }) =>
      answer === null ? [] : `${brand.key}\t${id}\t${answer}`,
    ),
  );
  const again = staged.filter(isMerged);
  if (again.length > 0) await mergeRuns(trx, again);
}

/** Whether an answer replaces an answer. */
const isMerged = ({ run, stored }: StagedRun): boolean => stored === 'runs' && run.table === 'runs';

/** Deletes the stored rows of runs that are copied. Their keys have bounds, so that the index finds them. */
async function deleteStored(trx: ImportSession['trx'], staged: readonly StagedRun[]): Promise<void> {
  for (const table of RUN_TABLES) {
    const ids = new Map<number, string[]>();
    for (const { brand, run, stored } of staged) {
      if (stored === table) ids.set(brand.key, [...(ids.get(brand.key) ?? []), run.id]);
    }
    for (const [brandKey, replaced] of ids) {
      await trx.raw(
        `with replaced as materialized (select unnest(cast(:replaced as text[])) collate "C" as id)
         delete from ${table} r using replaced
         where r.brand_key = :brandKey and r.id = replaced.id
           and r.id between (select min(id) from replaced) and (select max(id) from replaced)`,
        { brandKey, replaced },
      );
    }
  }
}

const UPDATES = RUN_COLUMNS.split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'brand_key' && column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Replaces stored runs and their answers. An answer that a run no longer has is deleted at the end of the file. */
async function mergeRuns(trx: ImportSession['trx'], staged: readonly StagedRun[]): Promise<void> {
  await copyInto(
    trx,
    `incoming_runs (${RUN_COLUMNS}, answer)`,
    staged.map(({ row, run }) => `${row}\t${run.answer ?? '\\N'}`),
  );
  await trx.raw(
    `insert into runs (${RUN_COLUMNS}) select ${RUN_COLUMNS} from incoming_runs
     on conflict (brand_key, id) do update set ${UPDATES}`,
  );
  await trx.raw(
    `insert into run_answers (brand_key, run_id, answer)
     select brand_key, id, answer from incoming_runs where answer is not null
     on conflict (brand_key, run_id) do update set answer = excluded.answer`,
  );
  await trx.raw('truncate incoming_runs');
}

// Exports.

interface RunRow extends SelectedChildren {
  id: string;
  prompt: string;
  engine: string;
  model: string;
  region: string;
  surface: Surface | '';
  collected_at: Date;
  observes: number;
  states_outcome: boolean;
  tracked_names: boolean;
  answer: string | null;
  mentions: { name: string; order: number; tone: number | null; evidence: string | null }[];
  citations: { url: string; title: string | null }[];
  fanouts: string[];
}

const MENTIONS = `(
  select coalesce(json_agg(json_build_object('name', n.name, 'order', m.position, 'tone', m.tone, 'evidence', m.evidence)
    order by m.place), '[]')
  from unnest(r.m_name, r.m_order, r.m_tone, r.m_evidence) with ordinality as m(name_key, position, tone, evidence, place)
  join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key)`;

const CITATIONS = `(
  select coalesce(json_agg(json_build_object('url', u.url, 'title', t.title) order by c.place), '[]')
  from unnest(r.c_url, r.c_title) with ordinality as c(url_key, title_key, place)
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  left join page_titles t on t.brand_key = :brandKey and t.title_key = c.title_key)`;

const FANOUTS = `(
  select coalesce(json_agg(q.query order by f.place), '[]')
  from unnest(r.f_query) with ordinality as f(query_key, place)
  join fanout_queries q on q.brand_key = :brandKey and q.query_key = f.query_key)`;

const COLLECTED = `r.id, r.engine, r.model, r.region, r.surface, r.collected_at, r.observes,
     (select p.id from prompts p where p.brand_key = :brandKey and p.prompt_key = r.prompt_key) as prompt`;

type CollectedRow = Pick<
  RunRow,
  'id' | 'prompt' | 'engine' | 'model' | 'region' | 'surface' | 'collected_at' | 'observes'
>;

const collected = (row: CollectedRow, brand: string, outcome: Run['outcome']) => ({
  type: 'run' as const,
  id: row.id,
  brand,
  prompt: row.prompt,
  engine: row.engine,
  model: row.model || null,
  region: row.region,
  surface: row.surface || null,
  collected_at: row.collected_at.toISOString(),
  outcome,
  observes: unlessEmpty(observables.filter((each) => (row.observes & observedBit(each)) > 0)),
});

const exported = (row: RunRow, brand: string): Run =>
  omitNulls({
    ...collected(row, brand, row.states_outcome ? 'answered' : null),
    names: row.tracked_names ? 'tracked' : null,
    answer: row.answer,
    mentions: row.mentions.map(({ name, order, tone, evidence }) =>
      omitNulls({ name, order, sentiment: tone === null ? null : tones[tone + 1]!, evidence }),
    ),
    citations: row.citations.map(omitNulls),
    ...exportedChildren(row),
    fanouts: unlessEmpty(row.fanouts),
  });

export const run: Descriptor<Run> = {
  schema,
  ref: 'prompt',
  observedAt: 'collected_at',
  waiting: waitingRun,
  write: writeRuns,
  ofBrand: true,
  sql: `select ${COLLECTED}, r.states_outcome, r.tracked_names,
     (select a.answer from run_answers a where a.brand_key = :brandKey and a.run_id = r.id) as answer,
     ${MENTIONS} as mentions, ${CITATIONS} as citations, ${CAROUSELS} as carousels, ${AD} as ad, ${FANOUTS} as fanouts
   from runs r where r.brand_key = :brandKey`,
  order: ['id'],
  exported,
  further: {
    sql: `select ${COLLECTED} from unshown_runs r where r.brand_key = :brandKey`,
    exported: (row: CollectedRow, brand: string): Run =>
      omitNulls({ ...collected(row, brand, 'not_shown'), mentions: [], citations: [] }),
  },
};
