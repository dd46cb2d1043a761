import { dayOf } from '../days.js';
import type { Entity } from '../entities.js';
import { metricValue, rounded, SCALES } from '../metric-values.js';
import type { Open } from '../open.js';
import { OPEN } from '../open.js';
import type { Metric } from '../parameters.js';
import type { DailyStatRecord, DatasetRecord, RunRecord } from '../records.js';
import { recordsOf } from '../records.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import { isNearTie } from './trends.js';

/** One entity's number for one engine and day, imported or taken from that day's runs. */
export interface DailyStat {
  entity: string;
  engine: string;
  date: string;
  runCount: number;
  value: number | null;
}

export interface ExpectedPoint {
  date: string;
  value: number | null | Open;
  sample_size: number;
}

/** The imported records of a brand, one per entity, engine and day: a file may repeat an equal record. */
export function importedStats(records: DatasetRecord[], brand: string): DailyStatRecord[] {
  const byKey = new Map<string, DailyStatRecord>();
  for (const record of recordsOf(records, 'daily_stat')) {
    if (record.brand === brand) byKey.set(`${record.entity} ${record.engine} ${record.date}`, record);
  }
  return [...byKey.values()];
}

/** The statistics of a range in scope; an engine's runs of a day win over its imported records of that day. */
export function dailyStats(
  metric: Metric,
  runs: RunRecord[],
  imported: DailyStatRecord[],
  entities: Entity[],
  rules: UrlRules,
): DailyStat[] {
  const byEngineAndDay = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const key = `${run.engine} ${dayOf(run.collected_at)}`;
    byEngineAndDay.set(key, [...(byEngineAndDay.get(key) ?? []), run]);
  }
  const computed = [...byEngineAndDay.values()].flatMap((together) =>
    entities.map((entity) => ({
      entity: entity.id,
      engine: together[0]!.engine,
      date: dayOf(together[0]!.collected_at),
      runCount: together.length,
      value: metricValue(metric, together, entity, entities, rules),
    })),
  );
  const stored = imported
    .filter((record) => !byEngineAndDay.has(`${record.engine} ${record.date}`))
    .map((record) => ({
      entity: record.entity,
      engine: record.engine,
      date: record.date,
      runCount: record.run_count,
      value: record[metric] ?? null,
    }));
  return [...computed, ...stored];
}

/** One point: the run-count-weighted mean over engines, if all are measured; a collected day without the entity has its sample size. */
export function pooledPoint(metric: Metric, date: string, entity: Entity, stats: DailyStat[]): ExpectedPoint {
  const ofDay = stats.filter((stat) => stat.date === date);
  const engines = new Map(ofDay.map((stat) => [stat.engine, stat.runCount]));
  const sampleSize = [...engines.values()].reduce((sum, count) => sum + count, 0);
  const measured = ofDay.filter((stat) => stat.entity === entity.id);
  if (measured.length === 0 || measured.some(({ value }) => value === null))
    return { date, value: null, sample_size: sampleSize };
  const weight = measured.reduce((sum, stat) => sum + stat.runCount, 0);
  const mean = measured.reduce((sum, stat) => sum + stat.runCount * stat.value!, 0) / weight;
  const value = isNearTie(mean, SCALES[metric].digits) ? OPEN : rounded(metric, mean);
  return { date, value, sample_size: sampleSize };
}
