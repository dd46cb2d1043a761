/** Computes the statistics of a day's runs, by engine and entity, unrounded. */

import type { Knex } from 'knex';
import { engineIds } from '../../contract/engines.js';
import { type EntitySums, type MeasureName, measureNames } from '../../contract/measures.js';
import { addDays } from '../base/days.js';
import { statement } from '../base/statement.js';
import { measuredOn, NO_SUMS } from './metrics/samples.js';
import { valuesOf } from './metrics/values.js';
import {
  type EngineDay,
  type EngineDayEntity,
  engineDayEntities,
  engineDays,
  unwrittenDays,
} from './sums/collected-days.js';
import { gapOf, type NameGap, nameGaps } from './sums/name-gaps.js';
import { type TrackedEntity, trackedEntities } from './sums/tracked-entities.js';

/** One row of `daily_stats`; null: not measured. */
export interface DailyStat extends Readonly<Record<MeasureName, number | null>> {
  readonly entity: number;
  readonly engine: string;
  readonly day: string;
  readonly run_count: number;
}

/** A row for every tracked entity on every engine and day that collected runs. */
export function dailyStatsOf(
  days: readonly EngineDay[],
  entities: readonly EngineDayEntity[],
  tracked: readonly TrackedEntity[],
  gaps: readonly NameGap[] = [],
): DailyStat[] {
  const sumsOf = new Map<string, EngineDayEntity[]>();
  for (const sums of entities) {
    const group = sumsOf.get(keyOf(sums));
    if (group) group.push(sums);
    else sumsOf.set(keyOf(sums), [sums]);
  }
  return days.flatMap((day) => {
    const seen = sumsOf.get(keyOf(day)) ?? [];
    const presences = seen.reduce((sum, { present }) => sum + present, 0);
    return tracked.map((entity) =>
      statOf(day, presences, entity, {
        sums: seen.find((sums) => sums.entity === entity.entity) ?? NO_SUMS,
        gap: gapOf(gaps, entity.entity),
      }),
    );
  });
}

const keyOf = ({ day, engine }: { day: string; engine: string }): string => `${day} ${engine}`;

function statOf(
  { day, engine, runs, citations }: EngineDay,
  presences: number,
  { entity, domain }: TrackedEntity,
  { sums, gap }: { readonly sums: EntitySums; readonly gap: NameGap | undefined },
): DailyStat {
  const own = measuredOn(day, { totals: { runs, citations, presences }, entity: sums }, gap);
  const values = valuesOf(measureNames, { ...own, hasDomain: domain !== '' });
  return { entity, engine, day, run_count: runs, ...values };
}

// Writes the nightly statistics: one row per entity, engine and finished day, computed from the roll-ups by the
// formulas of the reads. Imported rows are kept; if an engine and day have both, reads use the computed rows.

const COLUMNS = ['entity', 'engine', 'day', 'run_count', ...measureNames].join(', ');

const deleteComputed = statement<never, { brandKey: number; days: readonly string[] }>(
  'delete_computed_daily_stats',
  'delete from daily_stats where brand_key = :brandKey and day = any(:days) and not imported',
);

const insertComputed = statement<never, { brandKey: number; stats: string }>(
  'insert_computed_daily_stats',
  `insert into daily_stats (brand_key, imported, ${COLUMNS})
   select cast(:brandKey as integer), false, ${COLUMNS}
   from json_populate_recordset(null::daily_stats, cast(:stats as json))`,
);

/** Days per step, so that memory use does not grow with the length of the history. */
const DAYS_AT_ONCE = 28;

/** Recomputes the rows of some finished days. A day whose runs are gone loses its rows. */
export async function writeDailyStats(db: Knex, brandKey: number, days: Iterable<string>): Promise<void> {
  const sorted = [...days].sort();
  const tracked = await trackedEntities(db, { brandKey });
  const gaps = sorted.length === 0 ? [] : await nameGaps(db, { brandKey, start: sorted[0]! });
  for (let at = 0; at < sorted.length; at += DAYS_AT_ONCE) {
    const some = { brandKey, days: sorted.slice(at, at + DAYS_AT_ONCE) };
    const engineTotals = await engineDays(db, some);
    const rows = dailyStatsOf(engineTotals, await engineDayEntities(db, some), tracked, gaps);
    await deleteComputed(db, some);
    await insertComputed(db, { brandKey, stats: JSON.stringify(rows) });
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
