/** Writes carousels with their placements, and ads, to their own tables. */
import type { Knex } from 'knex';
import { copyInto, copyRow } from '../../database/copy.js';
import type { ImportSession } from '../session.js';
import { CHILD_TABLES, type ChildTable, createChildTable } from '../staging.js';
import { adRow, placementRow } from './child-rows.js';
import type { StagedRun } from './run-row.js';

/** Stages the carousels, placements and ads of runs. `mergeChildren` stores them. */
export async function stageChildren(
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
