/** Checks of the whole file: lines that disagree, dangling references, names that two entities share. */
import type { Knex } from 'knex';
import { LIVE_HORIZON_DAYS } from '../../../contract/limits.js';
import { entitiesWithAliases } from '../../answers/sums/tracked-entities.js';
import { DAY_MS, liveSince, utcDay } from '../../base/days.js';
import { foldName } from './entity-resolution.js';
import { RUN_TABLES } from './probes.js';
import { type DatasetRecord, descriptorOf, recordTypes } from './records/index.js';
import type { ImportSession } from './session.js';

// Checks the times of a record against the clock: a time in the future was not observed.

interface ClockProblem {
  readonly field: string;
  readonly message: string;
}

/** The problem with the times of a record; null: they are valid. */
export function clockProblem(record: DatasetRecord, now: Date): ClockProblem | null {
  if (record.type === 'daily_stat') return insideHorizon(record.date, now);
  const field = descriptorOf(record.type).observedAt;
  const time = field && (record as Readonly<Record<string, unknown>>)[field];
  if (typeof time !== 'string' || Date.parse(time) <= now.getTime() + DAY_MS) return null;
  return { field: field!, message: `expected at most 24 h from now, got ${time}` };
}

/** daily_stat records are only for days that runs no longer cover. */
function insideHorizon(date: string, now: Date): ClockProblem | null {
  if (date < liveSince(utcDay(now))) return null;
  const message = `expected a day older than the ${LIVE_HORIZON_DAYS} that end today (${utcDay(now)}), got ${date}`;
  return { field: 'date', message };
}

/** Adds every problem that can only be found at the end of the file. */
export async function checkWhole(session: ImportSession): Promise<void> {
  // The planner has no statistics of rows that this transaction wrote, and would join them by nested loops.
  await session.trx.raw('analyze import_lines');
  await session.trx.raw('set local enable_nestloop = off');
  await disagreements(session);
  for (const check of REFERENCES) await dangling(session, check);
  for (const choice of ['prompts', 'topics'] as const) await danglingOfMarks(session, choice);
  await archived(session);
  await pruned(session);
  for (const brand of session.brands.all) await sharedNames(session, brand.key, brand.id);
}

/** How many problems of a kind are listed. The others are only counted. */
const LISTED = 20;

interface Found {
  readonly line: number;
  /** Lines with the same problem. */
  readonly total: number;
}

/**
 * Adds the lines that a statement selects as `line`, the first ones listed, the others only counted.
 * @param sql Without its order.
 * @param problem The field and the message of a line.
 */
async function addEach<Row extends object>(
  { trx, problems }: ImportSession,
  sql: string,
  bindings: Readonly<Record<string, unknown>>,
  problem: (row: Row) => readonly [field: string | null, message: string],
): Promise<void> {
  const { rows } = await trx.raw(
    `select *, count(*) over () as total from (${sql}) found order by line limit ${LISTED}`,
    bindings as Knex.ValueDict,
  );
  for (const row of rows as (Row & Found)[]) problems.add(row.line, ...problem(row));
  if (rows.length > 0) problems.addUnlisted(rows[0].total - rows.length);
}

const disagreements = (session: ImportSession): Promise<void> =>
  addEach<{ first: number; type: string }>(
    session,
    `with doubled as (
       select key, min(line) as first from import_lines group by key having min(content) <> max(content)
     )
     select l.line, d.first, l.type from import_lines l join doubled d using (key)
     join import_lines f on f.key = d.key and f.line = d.first
     where l.content <> f.content`,
    {},
    ({ first, type }) => [null, `expected the same ${type} as on line ${first}, or another id`],
  );

interface Reference {
  readonly field: string;
  /** Selects `brand` and `id` of what the brands of the file have. */
  readonly known: string;
  /** Selects `line`, `brand` and `ref` of the lines that refer to it. */
  readonly lines: string;
}

const NO_BRAND = `text '' collate "C" as brand`;

/** The lines of the types that refer to it. */
function linesOf(brand: string, field: string): string {
  const types = recordTypes.filter((type) => descriptorOf(type).ref === field).map((type) => `'${type}'`);
  return `select line, ${brand}, ref from import_lines where ref is not null and type in (${types.join(', ')})`;
}

const OF_FILE = 'brand_key = any(:keys)';
const knownIn = (table: string): string =>
  `select b.id as brand, t.id from file_brands b join (select brand_key, id from ${table} where ${OF_FILE}) t using (brand_key)`;

const REFERENCES: readonly Reference[] = [
  {
    field: 'brand',
    known: 'select id as brand, id from file_brands',
    lines: 'select line, brand, brand as ref from import_lines where brand is not null',
  },
  {
    field: 'workspace',
    known: `select ${NO_BRAND}, id from workspaces`,
    lines: linesOf(NO_BRAND, 'workspace'),
  },
  // A run of a brand that does not exist is one problem.
  {
    field: 'prompt',
    known: knownIn('prompts'),
    lines: `${linesOf('brand', 'prompt')} and brand in (select id from file_brands)`,
  },
  { field: 'topic', known: knownIn('topics'), lines: linesOf('brand', 'topic') },
  {
    field: 'entity',
    known: `select id as brand, id from file_brands union all ${knownIn('competitors')}`,
    lines: linesOf('brand', 'entity'),
  },
];

const keysOf = ({ brands }: ImportSession): number[] => [...brands.all].map((brand) => brand.key);

const dangling = (session: ImportSession, { field, known, lines }: Reference): Promise<void> =>
  addEach<{ ref: string }>(
    session,
    `with file_brands as materialized (select brand_key, id from brands where ${OF_FILE}),
     known as materialized (${known})
     select line, ref from (${lines}) l
     where not exists (select 1 from known k where k.id = l.ref and k.brand = l.brand)`,
    { keys: keysOf(session) },
    ({ ref }) => [field, `expected a ${field} that this file or the database has, got ${ref}`],
  );

/** Adds the lines of marks about prompts or topics that nothing defines. A choice is the name of a column and of a table. */
const danglingOfMarks = (session: ImportSession, choice: 'prompts' | 'topics'): Promise<void> =>
  addEach<{ ref: string }>(
    session,
    `select l.line, c.ref
     from import_lines l join brands b on b.id = l.brand and b.${OF_FILE}
     join marks m on m.brand_key = b.brand_key and m.id = l.id cross join unnest(m.${choice}) as c(ref)
     where l.type = 'mark' and m.${OF_FILE}
       and not exists (select 1 from ${choice} k where k.brand_key = m.brand_key and k.id = c.ref and k.${OF_FILE})`,
    { keys: keysOf(session) },
    ({ ref }) => [choice, `expected ids of ${choice} that this file or the database has, got ${ref}`],
  );

interface ArchivedBrand {
  readonly brand_key: number;
  readonly id: string;
  readonly archived_at: Date;
}

/** Compares the runs and the ends of the brands that are archived. */
async function archived(session: ImportSession): Promise<void> {
  const { rows } = await session.trx.raw(
    `select brand_key, id, archived_at from brands where ${OF_FILE} and archived_at is not null order by id`,
    { keys: keysOf(session) },
  );
  for (const brand of rows) {
    await runsAfterArchive(session, brand);
    await archiveBeforeRuns(session, brand);
  }
}

/** Selects the stored runs of a brand for which a condition holds. */
const runsWith = (condition: string): string =>
  RUN_TABLES.map(
    (table) => `select id, collected_at from ${table} where brand_key = :brand_key and ${condition}`,
  ).join(' union all ');

/** Runs of a brand that were collected after it was archived. */
const LATE_RUNS = runsWith(
  `day >= cast(cast(:archived_at as timestamptz) at time zone 'UTC' as date) and collected_at > :archived_at`,
);

/** Adds the lines of runs of a brand that `runs` selects. */
const addRuns = (
  session: ImportSession,
  runs: string,
  brand: { readonly id: string },
  message: (collectedAt: string) => string,
): Promise<void> =>
  addEach<{ collected_at: Date }>(
    session,
    `with chosen as materialized (${runs})
     select l.line, r.collected_at from import_lines l join chosen r on r.id = l.id
     where l.type = 'run' and l.brand = :id`,
    { ...brand },
    ({ collected_at }) => ['collected_at', message(collected_at.toISOString())],
  );

/** Adds the lines of runs that were collected after their brand was archived. */
const runsAfterArchive = (session: ImportSession, brand: ArchivedBrand): Promise<void> =>
  addRuns(
    session,
    LATE_RUNS,
    brand,
    (got) => `expected no later than the brand's archived_at ${brand.archived_at.toISOString()}, got ${got}`,
  );

/** Adds the lines of a brand that is archived before a run that the database already had. */
async function archiveBeforeRuns({ trx, problems }: ImportSession, brand: ArchivedBrand): Promise<void> {
  const { rows } = await trx.raw(
    `with late as materialized (${LATE_RUNS}),
     earlier as materialized (
       select max(collected_at) as newest from late r
       where not exists (select 1 from import_lines i where i.type = 'run' and i.brand = :id and i.id = r.id)
     )
     select l.line, e.newest from import_lines l, earlier e
     where l.type = 'brand' and l.id = :id and e.newest is not null`,
    { ...brand },
  );
  for (const { line, newest } of rows) {
    const message = `expected no run after it, but one was collected at ${newest.toISOString()}`;
    problems.add(line, 'archived_at', message);
  }
}

const PRUNED_RUNS = runsWith('day < cast(:runs_since as date)');

/** Adds the lines of runs of days whose roll-ups can no longer be rebuilt, because their other runs were pruned. */
async function pruned(session: ImportSession): Promise<void> {
  const { rows } = await session.trx.raw(
    `select brand_key, id, runs_since from brands where ${OF_FILE} and runs_since is not null order by id`,
    { keys: keysOf(session) },
  );
  for (const brand of rows)
    await addRuns(
      session,
      PRUNED_RUNS,
      brand,
      (got) =>
        `expected ${brand.runs_since} or later, because earlier runs of the brand were pruned; got ${got}`,
    );
}

async function sharedNames(session: ImportSession, brandKey: number, brandId: string): Promise<void> {
  const { trx, problems } = session;
  const owner = new Map<string, string>();
  for (const { entity, id, name, aliases } of await entitiesWithAliases(trx, { brandKey })) {
    if (entity !== 0 && id === brandId) {
      const line = await lineOf(trx, brandId, [id]);
      problems.add(line ?? 0, 'id', `expected another id than the brand's, got ${id}`);
    }
    for (const each of new Set([name, ...aliases].map(foldName))) {
      const other = owner.get(each);
      if (other === undefined) {
        owner.set(each, id);
        continue;
      }
      const line = await lineOf(trx, brandId, [id, other]);
      const message = `expected names that no other entity of the brand has, but ${other} is called ${each} too`;
      problems.add(line ?? 0, 'name', message);
    }
  }
}

/** The line of the first of these entities that the file has (a competitor or the brand itself); null: it has none. */
async function lineOf(
  trx: ImportSession['trx'],
  brand: string,
  ids: readonly string[],
): Promise<number | null> {
  const { rows } = await trx.raw(
    `select line from import_lines
     where id = any(:ids) and (type = 'competitor' and brand = :brand or type = 'brand' and id = :brand)
     order by array_position(:ids, id), type desc, line limit 1`,
    { ids, brand },
  );
  return rows[0]?.line ?? null;
}
