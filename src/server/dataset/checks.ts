/** Checks of the whole file: lines that disagree, dangling references, names that two entities share. */
import { entitiesWithAliases } from '../queries/tracked-entities.js';
import { foldName } from './entity-resolution.js';
import type { Problems } from './problems.js';
import type { ImportSession } from './session.js';

/** Adds every problem that can only be found at the end of the file. */
export async function checkWhole(session: ImportSession): Promise<void> {
  await disagreements(session);
  for (const check of REFERENCES) await dangling(session, check);
  await archived(session);
  await runsOfPrunedDays(session);
  for (const brand of session.brands.all) await sharedNames(session, brand.key, brand.id);
}

/** How many problems of a kind are listed. The others are only counted. */
const LISTED = 20;

function countUnlisted(problems: Problems, rows: readonly { total: number }[]): void {
  if (rows.length > 0) problems.addUnlisted(rows[0]!.total - rows.length);
}

async function disagreements({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    with doubled as (
      select key, min(line) as first from import_lines group by key having min(content) <> max(content)
    )
    select l.line, d.first, l.type, count(*) over () as total from import_lines l join doubled d using (key)
    join import_lines f on f.key = d.key and f.line = d.first
    where l.content <> f.content order by l.line limit ${LISTED}`);
  for (const { line, first, type } of rows) {
    problems.add(line, null, `expected the same ${type} as on line ${first}, or another id`);
  }
  countUnlisted(problems, rows);
}

interface Reference {
  readonly field: string;
  /** Selects the import lines with a dangling reference, and the id that they refer to. */
  readonly sql: string;
}

const entityExists = `
  exists (select 1 from brands b where b.id = l.brand and b.id = l.ref)
  or exists (select 1 from competitors c join brands b on b.brand_key = c.brand_key where b.id = l.brand and c.id = l.ref)`;

const REFERENCES: readonly Reference[] = [
  {
    field: 'brand',
    sql: 'select line, brand as ref from import_lines l where brand is not null and not exists (select 1 from brands b where b.id = l.brand)',
  },
  {
    field: 'workspace',
    sql: `select line, ref from import_lines l where type in ('brand', 'reclassification')
          and not exists (select 1 from workspaces w where w.id = l.ref)`,
  },
  {
    field: 'prompt',
    sql: `select line, ref from import_lines l where type = 'run'
          and exists (select 1 from brands b where b.id = l.brand)
          and not exists (select 1 from prompts p join brands b on b.brand_key = p.brand_key where b.id = l.brand and p.id = l.ref)`,
  },
  {
    field: 'topic',
    sql: `select line, ref from import_lines l where type = 'prompt' and ref is not null
          and not exists (select 1 from topics t join brands b on b.brand_key = t.brand_key where b.id = l.brand and t.id = l.ref)`,
  },
  {
    field: 'entity',
    sql: `select line, ref from import_lines l where type in ('daily_stat', 'offsite_mention') and not (${entityExists})`,
  },
];

async function dangling({ trx, problems }: ImportSession, { field, sql }: Reference): Promise<void> {
  const { rows } = await trx.raw(
    `select *, count(*) over () as total from (${sql}) bad order by line limit ${LISTED}`,
  );
  for (const { line, ref } of rows) {
    problems.add(line, field, `expected a ${field} that this file or the database has, got ${ref}`);
  }
  countUnlisted(problems, rows);
}

/** Joins the brand `b` to its runs that were collected after it was archived. */
const LATE_RUNS = `
  join runs r on r.brand_key = b.brand_key
    and r.day >= (b.archived_at at time zone 'UTC')::date and r.collected_at > b.archived_at`;

async function archived(session: ImportSession): Promise<void> {
  await runsAfterArchive(session);
  await archivesBeforeRuns(session);
}

/** Adds the lines of runs that were collected after their brand was archived. */
async function runsAfterArchive({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    select l.line, r.collected_at, b.archived_at, count(*) over () as total
    from import_lines l join brands b on b.id = l.brand ${LATE_RUNS} and r.id = l.id
    where l.type = 'run' order by l.line limit ${LISTED}`);
  for (const { line, collected_at, archived_at } of rows) {
    const [collected, end] = [collected_at.toISOString(), archived_at.toISOString()];
    const message = `expected no later than the brand's archived_at ${end}, got ${collected}`;
    problems.add(line, 'collected_at', message);
  }
  countUnlisted(problems, rows);
}

/** Adds the lines of runs of days whose roll-ups can no longer be rebuilt, because their other runs were pruned. */
async function runsOfPrunedDays({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    select l.line, r.collected_at, b.runs_since, count(*) over () as total
    from import_lines l join brands b on b.id = l.brand
    join runs r on r.brand_key = b.brand_key and r.id = l.id and r.day < b.runs_since
    where l.type = 'run' order by l.line limit ${LISTED}`);
  for (const { line, collected_at, runs_since } of rows) {
    const message = `expected ${runs_since} or later, because earlier runs of the brand were pruned; got ${collected_at.toISOString()}`;
    problems.add(line, 'collected_at', message);
  }
  countUnlisted(problems, rows);
}

/** Adds the lines of brands that are archived before a run that the database already had. */
async function archivesBeforeRuns({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    select l.line, max(r.collected_at) as newest
    from import_lines l join brands b on b.id = l.id ${LATE_RUNS}
    where l.type = 'brand'
      and not exists (select 1 from import_lines i where i.type = 'run' and i.brand = b.id and i.id = r.id)
    group by l.line`);
  for (const { line, newest } of rows) {
    const message = `expected no run after it, but one was collected at ${newest.toISOString()}`;
    problems.add(line, 'archived_at', message);
  }
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
      // The file has neither entity: an earlier version accepted these names.
      if (line === null) continue;
      const message = `expected names that no other entity of the brand has, but ${other} is called ${each} too`;
      problems.add(line, 'name', message);
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
