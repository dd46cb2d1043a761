/** Computes the statistics of a day's runs, by engine and entity, unrounded. */
import * as metric from '../metrics/entity-metrics.js';
import type { EngineDay, EngineDayEntity } from '../sums/collected-days.js';
import type { TrackedEntity } from '../sums/tracked-entities.js';

/** One row of `daily_stats`; null: not measured. */
export interface DailyStat {
  readonly entity: number;
  readonly engine: string;
  readonly day: string;
  readonly run_count: number;
  readonly visibility: number;
  readonly share_of_voice_fraction: number | null;
  readonly citation_share: number | null;
  readonly sentiment_index: number | null;
}

/** A row for every tracked entity on every engine and day that collected runs. */
export function dailyStatsOf(
  days: readonly EngineDay[],
  entities: readonly EngineDayEntity[],
  tracked: readonly TrackedEntity[],
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
      statOf(day, presences, entity, seen.find((sums) => sums.entity === entity.entity) ?? metric.NO_SUMS),
    );
  });
}

const keyOf = ({ day, engine }: { day: string; engine: string }): string => `${day} ${engine}`;

function statOf(
  { day, engine, runs, citations }: EngineDay,
  presences: number,
  { entity, domain }: TrackedEntity,
  sums: metric.EntitySums,
): DailyStat {
  return {
    entity,
    engine,
    day,
    run_count: runs,
    visibility: metric.visibility(sums, runs) ?? 0,
    share_of_voice_fraction: metric.shareOfVoice(sums, { presences }),
    citation_share: metric.citationShare(sums, { citations }, domain !== ''),
    sentiment_index: metric.sentimentIndex(sums),
  };
}
