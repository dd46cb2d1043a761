/** Loads a dataset file into the database, all of it or nothing. */

import type { Knex } from 'knex';
import { bumpStoredVersion } from '../../accounts/brands.js';
import { daysWithRuns } from '../../answers/collections.js';
import { writeDailyStats } from '../../answers/daily-stats.js';
import { entitiesWithAliases } from '../../answers/sums/tracked-entities.js';
import { utcDay } from '../../base/days.js';
import { liftTimeLimits } from '../../database/connections.js';
import { connectCrawlerLogs } from '../ingest/crawler-events.js';
import { lockHits, rebuildWeeks } from '../ingest/crawler-weeks.js';
import { entitiesText, type ImportedBrand, MAX_ADDED } from './brand-catalog.js';
import { checkWhole, clockProblem } from './checks.js';
import { type LostMentions, lostMentions, resolveDomains, resolveNames } from './entity-resolution.js';
import { type Line, linesOf, parseLine } from './lines.js';
import { noteNewNames } from './name-gaps.js';
import { searchImported } from './name-search.js';
import { DatasetError } from './problems.js';
import { type DatasetRecord, descriptorOf, type RecordType, recordTypes } from './records/index.js';
import { mergeChildren } from './records/run-children.js';
import { addToDays, rebuildDays, rebuildTrackedUrls } from './rollups/rebuild.js';
import { forgetTexts, type ImportSession, openSession } from './session.js';
import { analyzeTables, growthSoFar, outdatedTables } from './statistics.js';

// The last step of an import: resolve names and domains, rebuild roll-ups and daily statistics, invalidate caches.

export async function finish(session: ImportSession, afterDays?: AfterDays): Promise<void> {
  await mergeChildren(session);
  for (const brand of session.brands.all) await finishBrand(session, brand, afterDays);
  await connect(session);
  await bumpVersions(session);
}

async function finishBrand(
  session: ImportSession,
  brand: ImportedBrand,
  afterDays?: AfterDays,
): Promise<void> {
  const { trx } = session;
  const changed = (await entitiesText(trx, brand.key)) !== brand.entitiesBefore;
  const entities = await entitiesWithAliases(trx, { brandKey: brand.key });
  if (changed) await noteNewNames(trx, brand, entities);
  await searchImported(trx, session.names, brand, entities);
  const firstNew = (dictionary: { firstNew: Map<number, number> }) =>
    changed ? 1 : dictionary.firstNew.get(brand.key);
  const [newNames, newDomains] = [firstNew(session.names), firstNew(session.domains)];
  if (newNames !== undefined) await resolveNames(trx, brand.key, entities, newNames);
  if (newDomains !== undefined) await resolveDomains(trx, brand.key, entities, newDomains);
  const added = changed ? new Map<string, string[]>() : await addableDays(session, brand);
  await addToDays(trx, brand.key, added);
  const days = changed ? await everyDay(session, brand) : touchedDays(brand);
  const rebuilt = new Set([...days].filter((day) => !added.has(day)));
  await rebuildDays(trx, brand.key, rebuilt);
  const today = utcDay(session.now);
  await writeDailyStats(
    trx,
    brand.key,
    [...days].filter((day) => day < today),
  );
  if (brand.tracksNewPages) await rebuildTrackedUrls(trx, brand.key, rebuilt);
  if ([...days].some((day) => day < today)) await afterDays?.(trx, brand.key, session.now);
}

/** What changed names take from entities that stay tracked. */
async function lostIn({ trx, brands }: ImportSession): Promise<NonNullable<ImportResult['lost']>> {
  const lost: (LostMentions & { brand: string })[] = [];
  for (const { key, id: brand, entitiesBefore } of brands.all) {
    const entities = await entitiesWithAliases(trx, { brandKey: key });
    if (JSON.stringify(entities) === entitiesBefore) continue;
    lost.push(...(await lostMentions(trx, key, entities)).map((each) => ({ brand, ...each })));
  }
  return lost;
}

const touchedDays = ({ replacedDays, addedRuns }: ImportedBrand): Set<string> =>
  new Set([...replacedDays, ...addedRuns.keys()]);

/** A day is rebuilt rather than added to if it has fewer runs than these for each new one. */
const MIN_PER_ADDED = 10;

/** The ids of new runs of the days that have many more runs, none of them replaced. */
async function addableDays({ trx }: ImportSession, brand: ImportedBrand): Promise<Map<string, string[]>> {
  const days = [...brand.addedRuns].filter(
    ([day, { count }]) => count <= MAX_ADDED && !brand.replacedDays.has(day),
  );
  const { rows } = await trx.raw(
    `select day, sum(run_count) as runs from day_scope
     where brand_key = :brandKey and day = any(:days) group by day`,
    { brandKey: brand.key, days: days.map(([day]) => day) },
  );
  const runsOf = new Map<string, number>(
    rows.map((row: { day: string; runs: number }) => [row.day, row.runs]),
  );
  return new Map(
    days
      .filter(([day, { count }]) => (runsOf.get(day) ?? 0) >= MIN_PER_ADDED * count)
      .map(([day, { ids }]) => [day, ids]),
  );
}

async function everyDay({ trx }: ImportSession, brand: ImportedBrand): Promise<Set<string>> {
  const stored = await daysWithRuns(trx, { brandKey: brand.key });
  return new Set([...touchedDays(brand), ...stored.map(({ day }) => day)]);
}

async function connect({ trx, connections, hitWeeks }: ImportSession): Promise<void> {
  for (const [brandKey, time] of [...connections].sort(([a], [b]) => a - b)) {
    await lockHits(trx, brandKey);
    await rebuildWeeks(trx, brandKey, hitWeeks.get(brandKey) ?? []);
    await connectCrawlerLogs(trx, { brandKey, newest: new Date(time), inserted: true });
  }
}

/**
 * Invalidates cached reads, whose keys include the version of their brand. The rows are locked in order, so that two
 * imports do not deadlock.
 */
async function bumpVersions({ trx, brands, touchedWorkspaces, touchedAll }: ImportSession): Promise<void> {
  const keys = [...brands.all].map((brand) => brand.key);
  await trx.raw(
    `update brands set data_version = data_version + 1
     where brand_key in (
       select brand_key from brands
       where brand_key = any(:keys) or workspace_id = any(:workspaces) or :touchedAll
       order by brand_key for no key update
     )`,
    { keys, workspaces: [...touchedWorkspaces], touchedAll },
  );
  for (const brandKey of keys) await bumpStoredVersion(trx, { brandKey });
}

// Collects records by type and writes each type in batches. The next batch is read while one is written.

export const BATCH_RECORDS = 5000;
/** Two batches are in memory, one as records and one as the rows that are sent. */
export const BATCH_BYTES = 4 * 1024 * 1024;

interface Batch {
  readonly records: unknown[];
  bytes: number;
}

export class RecordBuffer {
  readonly #session: ImportSession;
  readonly #waiting = new Map<RecordType, Batch>();
  readonly counts: Partial<Record<RecordType, number>> = {};
  total = 0;
  #full: { readonly type: RecordType; readonly records: readonly unknown[] } | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(session: ImportSession) {
    this.#session = session;
  }

  /**
   * Adds a record. Returns whether it fills a batch: then await `writeFull` before the next call.
   * @param bytes The length of the record's line, if it was read from a file.
   */
  add(line: number, record: DatasetRecord, bytes = 0): boolean {
    const { type } = record;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    this.total++;
    const batch = this.#waiting.get(type) ?? { records: [], bytes: 0 };
    this.#waiting.set(type, batch);
    batch.bytes += bytes;
    batch.records.push(descriptorOf(type).waiting(this.#session, line, record));
    if (batch.records.length < BATCH_RECORDS && batch.bytes < BATCH_BYTES) return false;
    this.#waiting.delete(type);
    this.#full = { type, records: batch.records };
    return true;
  }

  /** Begins to write the full batch when the one before is written. */
  async writeFull(): Promise<void> {
    await this.#writing;
    if (this.#full === null) return;
    this.#writing = this.#write(this.#full.type, this.#full.records);
    this.#full = null;
    // The next call awaits the promise. Until then its rejection must not be reported as unhandled.
    this.#writing.catch(() => undefined);
  }

  #write(type: RecordType, batch: readonly unknown[]): Promise<void> {
    forgetTexts(this.#session);
    return descriptorOf(type).write(this.#session, batch);
  }

  /** Writes the remaining records. */
  async flush(): Promise<void> {
    await this.#writing;
    for (const type of recordTypes) {
      const batch = this.#waiting.get(type);
      if (batch) await this.#write(type, batch.records);
    }
    this.#waiting.clear();
  }
}

export interface ImportProgress {
  readonly lines: number;
  readonly records: number;
}

/** What follows from new or changed days of a brand that are complete, in the transaction of the import. */
export type AfterDays = (trx: Knex.Transaction, brandKey: number, now: Date) => Promise<unknown>;

export interface ImportOptions {
  readonly now: Date;
  /** If omitted, nothing follows. */
  readonly afterDays?: AfterDays;
  /** Checks only and writes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  readonly lines: number;
  readonly records: Readonly<Partial<Record<RecordType, number>>>;
  /** The stored mentions that it takes from entities which stay tracked; absent: none. */
  readonly lost?: readonly (LostMentions & { readonly brand: string })[];
}

/**
 * Imports NDJSON, gzipped or not, in one transaction.
 * @throws DatasetError with the lines that are wrong. Then nothing is written.
 */
export async function importDataset(
  db: Knex,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportResult> {
  return inOneTransaction(db, options, async (session) => {
    let lines = 0;
    const buffer = new RecordBuffer(session);
    for await (const group of linesOf(source)) {
      lines += group.length;
      for (const line of group) {
        const record = checkedRecord(line, session);
        if (record && buffer.add(line.number, record, line.text!.length)) await buffer.writeFull();
      }
      options.onProgress?.({ lines, records: buffer.total });
      await new Promise(setImmediate);
    }
    await buffer.flush();
    return { lines, records: buffer.counts };
  });
}

/** Like `importDataset`, for records in memory, as the demo's are. */
export async function importRecords(
  db: Knex,
  records: Iterable<DatasetRecord>,
  options: ImportOptions,
): Promise<ImportResult> {
  return inOneTransaction(db, options, async (session) => {
    const buffer = new RecordBuffer(session);
    let line = 0;
    for (const record of records) {
      if (buffer.add(++line, record)) await buffer.writeFull();
      if (line % BATCH_RECORDS === 0) options.onProgress?.({ lines: line, records: line });
    }
    await buffer.flush();
    return { lines: line, records: buffer.counts };
  });
}

const ROLLED_BACK = Symbol('rolled back');

/** Runs imports of which each sees what those before it wrote, in one transaction that is rolled back. */
export async function rolledBack(db: Knex, work: (trx: Knex) => Promise<void>): Promise<void> {
  let failure: unknown;
  try {
    await db.transaction(async (trx) => {
      failure = await work(trx).then(
        () => ROLLED_BACK,
        (error: unknown) => error,
      );
      throw failure;
    });
  } catch (error) {
    // If the rollback fails too, its error would hide the first one.
    const first = failure ?? error;
    if (first !== ROLLED_BACK) throw first;
  }
}

async function inOneTransaction(
  db: Knex,
  options: ImportOptions,
  load: (session: ImportSession) => Promise<ImportResult>,
): Promise<ImportResult> {
  let result: ImportResult | undefined;
  let failure: unknown;
  let outdated: readonly string[] = [];
  const work = async (trx: Knex.Transaction): Promise<ImportResult> => {
    await liftTimeLimits(trx);
    const before = await growthSoFar(trx);
    const session = await openSession(trx, options.now);
    result = await load(session);
    await checkWhole(session);
    if (session.problems.count > 0) throw new DatasetError(session.problems);
    const lost = await lostIn(session);
    if (lost.length > 0) result = { ...result, lost };
    if (options.dryRun) throw ROLLED_BACK;
    await finish(session, options.afterDays);
    outdated = await outdatedTables(trx, before);
    return result;
  };
  try {
    const loaded = await db.transaction((trx) =>
      work(trx).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    );
    // Within `rolledBack` there is nothing to analyse, and the next import makes its temporary tables again.
    if (db.isTransaction) await db.raw('discard temp');
    else await analyzeTables(db, outdated);
    return loaded;
  } catch (error) {
    // If the rollback fails too, as on a full disk, its error would hide the first one.
    const first = failure ?? error;
    if (first === ROLLED_BACK) return result!;
    throw first;
  }
}

/** Parses the record of a line, and checks its times against the clock. */
function checkedRecord(line: Line, session: ImportSession): DatasetRecord | undefined {
  const record = parseLine(line, session.problems);
  const problem = record && clockProblem(record, session.now);
  if (!problem) return record;
  session.problems.add(line.number, problem.field, problem.message);
  return undefined;
}
