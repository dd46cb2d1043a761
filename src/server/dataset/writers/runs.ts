/**
 * Writes runs: one row each, with arrays of dictionary keys, and the answer, carousels and ad in their own tables. New
 * runs are copied to the tables at once, and runs that are stored already are merged from a temporary table.
 */

import type { Knex } from 'knex';
import { type Tone, tones } from '../../../contract/reads/answers.js';
import { copyInto, copyRow } from '../../database/copy.js';
import { type ImportedBrand, MOST_ADDED } from '../brand-catalog.js';
import { type CitedPage, type CitedTitle, ensurePages } from '../cited-urls.js';
import { STORED_RUNS } from '../probes.js';
import { isoTime } from '../records/fields.js';
import type { Run } from '../records/run.js';
import { CHILD_TABLES, type ChildTable, createChildTable, type ImportSession } from '../session.js';

// Carousels, placements and ads of a run as they are stored.

type Carousel = NonNullable<Run['carousels']>[number];
type Placement = Carousel['placements'][number];
type Ad = NonNullable<Run['ad']>;

/** The carousels and the ad of a run, and what of the run their rows repeat. */
interface Extras {
  readonly engine: string;
  /** When the run was collected, as ISO time. */
  readonly time: string;
  readonly carousels: readonly Carousel[];
  readonly ad: Ad | null;
}

/** A placement as it is stored. */
const placementRow = (placement: Placement) => ({
  slot: placement.slot,
  product: placement.product,
  url: placement.url ?? null,
  merchant: placement.merchant ?? null,
  price: placement.price ?? null,
  price_amount: placement.price_amount ?? null,
  currency: placement.currency ?? null,
  is_own: placement.is_own ?? null,
});

/** An ad as it is stored. */
const adRow = (ad: Ad) => ({
  advertiser: ad.advertiser ?? null,
  advertiser_url: ad.advertiser_url ?? null,
  favicon_url: ad.favicon_url ?? null,
  cards: (ad.cards ?? []).map(({ title, body, target_url, image_url }) => ({
    title: title ?? null,
    body: body ?? null,
    target_url: target_url ?? null,
    image_url: image_url ?? null,
  })),
});

// The rows of a run in the text format of COPY. All that needs no look-up is encoded when the run is read: of a record,
// which is many small objects, only a few texts stay in memory until its batch is written.

const RUN_COLUMNS = `brand_key, prompt_key, m_name, c_url, c_title, f_query, id, day, collected_at, engine, region,
  model, surface, m_order, m_tone, m_evidence, quotes_negative, quotes_neutral, quotes_positive`;

/** A run as it waits for its batch. */
export interface WaitingRun {
  readonly line: number;
  readonly brand: string;
  readonly id: string;
  readonly prompt: string;
  /** Its UTC day. */
  readonly day: string;
  readonly names: readonly string[];
  readonly pages: readonly CitedPage[];
  readonly titles: readonly (CitedTitle | null)[];
  readonly queries: readonly string[];
  /** The values of `RUN_COLUMNS` from `id` on. */
  readonly encoded: string;
  /** The answer as a value of COPY; null: there is none. */
  readonly answer: string | null;
  /** Its carousels and ad; null: it has none. */
  readonly extras: Extras | null;
}

/** A tone as it is stored: -1, 0 or 1. */
const toneNumber = (tone: Tone): number => tones.indexOf(tone) - 1;

export function waitingRun(session: ImportSession, line: number, run: Run): WaitingRun {
  const { brand, id, prompt, engine, mentions, citations } = run;
  const time = isoTime(run.collected_at);
  const day = time.slice(0, 10);
  const pages = citations.map(({ url }) => session.pages.page(brand, url));
  return {
    line,
    brand,
    id,
    prompt,
    day,
    names: mentions.map(({ name }) => name),
    pages,
    titles: citations.map(({ title }, at) =>
      title == null ? null : session.pages.title(brand, pages[at]!, title),
    ),
    queries: run.fanouts ?? [],
    encoded: copyRow([
      id,
      day,
      time,
      engine,
      run.region,
      run.model ?? '',
      run.surface ?? '',
      mentions.map(({ order }) => order),
      mentions.map(({ sentiment }) => (sentiment == null ? null : toneNumber(sentiment))),
      mentions.map(({ evidence }) => evidence ?? null),
      quotes(mentions, 'negative'),
      quotes(mentions, 'neutral'),
      quotes(mentions, 'positive'),
    ]),
    answer: run.answer == null ? null : copyRow([run.answer]),
    extras:
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
  /** The values of `RUN_COLUMNS`. */
  readonly row: string;
  /** Whether the database has a run with this id. */
  isStored: boolean;
}

/** The row of a run whose texts have their keys. */
function stagedRun(session: ImportSession, brand: ImportedBrand, run: WaitingRun): StagedRun {
  const keys = copyRow([
    brand.key,
    session.brands.promptKey(brand, run.prompt),
    run.names.map((name) => session.names.keyOf(brand.key, name)),
    run.pages.map(({ key }) => key),
    run.titles.map((title) => (title === null ? null : title.key)),
    run.queries.map((query) => session.queries.keyOf(brand.key, query)),
  ]);
  return { brand, run, row: `${keys}\t${run.encoded}`, isStored: false };
}

/** The content of a run in one normal form, so that two lines of the same run can be compared. */
function contentOf({ run: { answer, extras }, row }: StagedRun): string {
  const carousels = extras?.carousels.length
    ? JSON.stringify(extras.carousels.map(({ placements }) => placements.map(placementRow)))
    : '';
  const ad = extras?.ad == null ? '' : JSON.stringify(adRow(extras.ad));
  return `${row}\t${answer ?? '\\N'}\t${carousels}\t${ad}`;
}

// Writes carousels with their placements, and ads, to their own tables.

/** Stages the carousels, placements and ads of runs. `mergeChildren` stores them. */
async function stageChildren(
  { trx, brands, stagedChildren }: ImportSession,
  runs: readonly StagedRun[],
): Promise<void> {
  const rows: Record<ChildTable, string[]> = { carousels: [], placements: [], ads: [] };
  for (const { brand, run } of runs) {
    if (run.extras === null) continue;
    const { engine, time, carousels, ad } = run.extras;
    for (const [at, { placements }] of carousels.entries()) {
      rows.carousels.push(copyRow([brand.key, run.day, run.id, at + 1, engine]));
      for (const [place, placement] of placements.entries()) {
        const values = Object.values(placementRow(placement));
        rows.placements.push(copyRow([brand.key, run.day, run.id, at + 1, place + 1, ...values]));
      }
    }
    if (ad !== null) {
      const { cards, ...advertiser } = adRow(ad);
      const prompt = brands.promptKey(brand, run.prompt);
      const values = [brand.key, run.day, run.id, engine, prompt, time, ...Object.values(advertiser)];
      rows.ads.push(copyRow([...values, JSON.stringify(cards)]));
    }
  }
  for (const table of CHILD_TABLES) {
    if (rows[table].length === 0) continue;
    if (!stagedChildren.has(table)) await createChildTable(trx, table);
    stagedChildren.add(table);
    await copyInto(trx, `incoming_${table}`, rows[table]);
  }
}

/** Stores what was staged, in place of what the replaced runs had. The lines of the file must have been checked. */
export async function mergeChildren({ trx, brands, stagedChildren }: ImportSession): Promise<void> {
  await trx.raw('analyze replaced_runs');
  for (const brand of brands.all) if (brand.replacedRuns) await deleteReplaced(trx, brand.key);
  for (const table of stagedChildren) {
    // Two lines of the file may be the same run.
    await trx.raw(`insert into ${table} select * from incoming_${table} on conflict do nothing`);
  }
}

/** Deletes the children of replaced runs. The bounds of their keys are looked up in the index, whatever the join is. */
async function deleteReplaced(trx: Knex.Transaction, brandKey: number): Promise<void> {
  for (const table of CHILD_TABLES) {
    await trx.raw(
      `with replaced as materialized (select id, day from replaced_runs where brand_key = :brandKey)
       delete from ${table} c using replaced r
       where c.brand_key = :brandKey and c.day = r.day and c.run_id = r.id
         and c.day between (select min(day) from replaced) and (select max(day) from replaced)`,
      { brandKey },
    );
  }
  await trx.raw(
    `with silent as materialized (select id from replaced_runs where brand_key = :brandKey and not answered)
     delete from run_answers a using silent s
     where a.brand_key = :brandKey and a.run_id = s.id
       and a.run_id between (select min(id) from silent) and (select max(id) from silent)`,
    { brandKey },
  );
}

export async function writeRuns(session: ImportSession, batch: readonly WaitingRun[]): Promise<void> {
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
  await session.lines.add(lines);
  await noteStored(session, brand, staged);
  for (const row of staged.values()) noteDay(brand, row);
  return [...staged.values()];
}

/** Marks the rows whose runs are stored, and notes their former days. */
async function noteStored({ trx }: ImportSession, brand: ImportedBrand, staged: Map<string, StagedRun>) {
  const { rows } = await trx.raw(STORED_RUNS, { brandKey: brand.key, ids: [...staged.keys()] });
  const replaced = rows.map(({ id, day }: { id: string; day: string }) => {
    const row = staged.get(id)!;
    row.isStored = true;
    brand.replacedDays.add(day);
    return copyRow([brand.key, id, day, row.run.answer !== null]);
  });
  brand.replacedRuns += replaced.length;
  await copyInto(trx, 'replaced_runs', replaced);
}

function noteDay(brand: ImportedBrand, { run, isStored }: StagedRun): void {
  if (isStored) {
    brand.replacedDays.add(run.day);
    return;
  }
  const added = brand.addedRuns.get(run.day) ?? { count: 0, ids: [] };
  brand.addedRuns.set(run.day, added);
  if (added.count++ < MOST_ADDED) added.ids.push(run.id);
}

async function storeRuns({ trx }: ImportSession, staged: readonly StagedRun[]): Promise<void> {
  const fresh = staged.filter(({ isStored }) => !isStored);
  await copyInto(
    trx,
    `runs (${RUN_COLUMNS})`,
    fresh.map(({ row }) => row),
  );
  await copyInto(
    trx,
    'run_answers (brand_key, run_id, answer)',
    fresh.flatMap(({ brand, run: { id, answer } }) =>
      answer === null ? [] : `${brand.key}\t${id}\t${answer}`,
    ),
  );
  const again = staged.filter(({ isStored }) => isStored);
  if (again.length > 0) await mergeRuns(trx, again);
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
