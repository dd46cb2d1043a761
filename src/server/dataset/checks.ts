/** What only the whole file can show: lines that disagree, references to nothing, names that two entities share. */

import { foldName, trackedEntities } from './resolve.js';
import type { ImportSession } from './session.js';

/** Adds every problem that shows at the end of the file. */
export async function checkWhole(session: ImportSession): Promise<void> {
  await disagreements(session);
  for (const check of REFERENCES) await dangling(session, check);
  await archived(session);
  for (const brand of session.brands.all) await sharedNames(session, brand.key, brand.id);
}

async function disagreements({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    with doubled as (
      select key, min(line) as first from import_lines group by key having min(content) <> max(content)
    )
    select l.line, d.first, l.type from import_lines l join doubled d using (key)
    join import_lines f on f.key = d.key and f.line = d.first
    where l.content <> f.content order by l.line`);
  for (const { line, first, type } of rows) {
    problems.add(line, null, `expected the same ${type} as on line ${first}, or another id`);
  }
}

interface Reference {
  readonly field: string;
  /** Selects the ledger's lines whose reference leads nowhere, with what they refer to. */
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
    `select *, count(*) over () as total from (${sql}) bad order by line limit 20`,
  );
  for (const { line, ref } of rows) {
    problems.add(line, field, `expected a ${field} that this file or the database has, got ${ref}`);
  }
  if (rows.length > 0) problems.addUnlisted(rows[0].total - rows.length);
}

async function archived({ trx, problems }: ImportSession): Promise<void> {
  const { rows } = await trx.raw(`
    select coalesce(l.line, b.line) as line, r.collected_at, brands.archived_at, l.line is null as stored
    from (select distinct brand from import_lines where brand is not null
          union select id from import_lines where type = 'brand') met(brand)
    join brands on brands.id = met.brand and brands.archived_at is not null
    join runs r on r.brand_key = brands.brand_key
      and r.day >= (brands.archived_at at time zone 'UTC')::date and r.collected_at > brands.archived_at
    left join import_lines l on l.type = 'run' and l.brand = brands.id and l.id = r.id
    left join import_lines b on b.type = 'brand' and b.id = brands.id
    order by 1`);
  for (const { line, collected_at, archived_at, stored } of rows) {
    const [collected, end] = [collected_at.toISOString(), archived_at.toISOString()];
    if (stored)
      problems.add(
        line ?? 0,
        'archived_at',
        `expected no run after it, but one was collected at ${collected}`,
      );
    else
      problems.add(
        line,
        'collected_at',
        `expected no later than the brand's archived_at ${end}, got ${collected}`,
      );
  }
}

async function sharedNames(
  { trx, problems }: ImportSession,
  brandKey: number,
  brandId: string,
): Promise<void> {
  const owner = new Map<string, string>();
  for (const { entity, id, name, aliases } of await trackedEntities(trx, brandKey)) {
    if (entity !== 0 && id === brandId) {
      problems.add(
        await lineOf(trx, 'competitor', brandId, id),
        'id',
        `expected another id than the brand's, got ${id}`,
      );
    }
    for (const each of new Set([name, ...aliases].map(foldName))) {
      const other = owner.get(each);
      if (other === undefined) owner.set(each, id);
      else {
        const line = await lineOf(trx, 'competitor', brandId, id);
        problems.add(
          line,
          'name',
          `expected names that no other entity of the brand has, but ${other} is called ${each} too`,
        );
      }
    }
  }
}

/** The line that wrote an entity, or the brand's own when the entity was there before. */
async function lineOf(trx: ImportSession['trx'], type: string, brand: string, id: string): Promise<number> {
  const { rows } = await trx.raw(
    `select line from import_lines where (type = ? and brand = ? and id = ?) or (type in ('brand', 'competitor') and ? in (id, brand))
     order by (type = ? and id = ?) desc, line limit 1`,
    [type, brand, id, brand, type, id],
  );
  return rows[0]?.line ?? 0;
}
