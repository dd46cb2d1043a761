/**
 * Recomputes everything that this version derives from the data: it resolves the names and domains of every brand again,
 * and rebuilds every roll-up and the statistics of finished days.
 */
import type { Knex } from 'knex';
import { bumpStoredVersion } from '../../accounts/brands.js';
import { writeDailyStats } from '../../daily-stats/write.js';
import { liftTimeLimits } from '../../database/time-limits.js';
import { utcDay } from '../../days.js';
import { entitiesWithAliases } from '../../sums/tracked-entities.js';
import { resolveDomains, resolveNames } from '../entity-resolution.js';
import { brandKeys, lockImports } from '../import-locks.js';
import { rebuildDays } from './rebuild.js';
import { rebuildableDays } from './rebuildable-days.js';

export interface RebuiltBrand {
  readonly id: string;
  /** Days with runs, and days with roll-ups whose runs are gone; not those whose runs were pruned. */
  readonly days: number;
}

/** Uses one transaction per brand. Reads get the old roll-ups until it commits. */
export async function* rebuildAll(db: Knex, now: Date): AsyncGenerator<RebuiltBrand> {
  for (const { key, id } of await brandKeys(db, {})) {
    const days = await db.transaction((trx) => rebuildBrand(trx, key, utcDay(now)));
    yield { id, days: days.length };
  }
}

/** The first key of every dictionary. */
const FIRST_KEY = 1;

async function rebuildBrand(trx: Knex.Transaction, brandKey: number, today: string): Promise<string[]> {
  await liftTimeLimits(trx);
  await lockImports(trx, brandKey);
  const entities = await entitiesWithAliases(trx, { brandKey });
  await resolveNames(trx, brandKey, entities, FIRST_KEY);
  await resolveDomains(trx, brandKey, entities, FIRST_KEY);
  const days = await everyDay(trx, brandKey);
  await rebuildDays(trx, brandKey, days);
  await writeDailyStats(
    trx,
    brandKey,
    days.filter((day) => day < today),
  );
  await trx.raw('update brands set data_version = data_version + 1 where brand_key = ?', [brandKey]);
  await bumpStoredVersion(trx, { brandKey });
  return rebuildableDays(trx, brandKey, days);
}

async function everyDay(trx: Knex.Transaction, brandKey: number): Promise<string[]> {
  const { rows } = await trx.raw(
    `select day from runs where brand_key = :brandKey
     union select day from day_scope where brand_key = :brandKey
     union select day from daily_stats where brand_key = :brandKey and not imported
     order by day`,
    { brandKey },
  );
  return rows.map((row: { day: string }) => row.day);
}
