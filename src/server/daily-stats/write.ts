/**
 * Writes the nightly statistics: one row per entity, engine and finished day, computed from the roll-ups by the formulas
 * of the reads. Imported rows are kept; if an engine and day have both, reads use the computed rows.
 */
import type { Knex } from 'knex';
import { engineIds } from '../../contract/engines.js';
import { addDays } from '../days.js';
import { engineDayEntities, engineDays, unwrittenDays } from '../sums/collected-days.js';
import { trackedEntities } from '../sums/tracked-entities.js';
import { dailyStatsOf } from './rows.js';

/** Days per step, so that memory use does not grow with the length of the history. */
const DAYS_AT_ONCE = 28;

/** Recomputes the rows of some finished days. A day whose runs are gone loses its rows. */
export async function writeDailyStats(db: Knex, brandKey: number, days: Iterable<string>): Promise<void> {
  const sorted = [...days].sort();
  const tracked = await trackedEntities(db, { brandKey });
  for (let at = 0; at < sorted.length; at += DAYS_AT_ONCE) {
    const some = { brandKey, days: sorted.slice(at, at + DAYS_AT_ONCE) };
    const engineTotals = await engineDays(db, some);
    const rows = dailyStatsOf(engineTotals, await engineDayEntities(db, some), tracked);
    await db.raw(
      'delete from daily_stats where brand_key = :brandKey and day = any(:days) and not imported',
      some,
    );
    await db.raw(
      `insert into daily_stats (brand_key, entity, engine, day, run_count, visibility, share_of_voice_fraction,
         citation_share, sentiment_index, imported)
       select :brandKey, entity, engine, day, run_count, visibility, share_of_voice_fraction, citation_share,
         sentiment_index, false
       from json_populate_recordset(null::daily_stats, :rows)`,
      { brandKey, rows: JSON.stringify(rows) },
    );
  }
}

const BEFORE_ALL = '1970-01-01';

/** The finished days of a brand whose statistics are missing. */
export async function missingStatsDays(db: Knex, brandKey: number, today: string): Promise<string[]> {
  const window = { start: BEFORE_ALL, end: addDays(today, -1), engines: engineIds };
  const days = await unwrittenDays(db, { brandKey, ...window });
  return days.map(({ day }) => day);
}

/** Writes the missing statistics of a brand's finished days, and returns the number of these days. */
export async function catchUpDailyStats(db: Knex, brandKey: number, today: string): Promise<number> {
  const days = await missingStatsDays(db, brandKey, today);
  await writeDailyStats(db, brandKey, days);
  return days.length;
}
