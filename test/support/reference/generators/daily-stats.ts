import { addDays, dayOf, horizonStart } from '../days.js';
import type { DailyStatRecord, RunRecord } from '../records.js';
import type { Draw } from './draw.js';

const DAYS_BACK = 45;

/**
 * Imported statistics of days older than the live horizon, some of them days that also have runs. Engines are those
 * that the brand has runs of, on a day with runs only those of that day: whether runs of one engine win over the
 * records of another is nowhere said. An entity is left out for a whole day.
 */
export function randomDailyStats(
  draw: Draw,
  brand: string,
  entityIds: readonly string[],
  runs: readonly RunRecord[],
  today: string,
): DailyStatRecord[] {
  const records: DailyStatRecord[] = [];
  for (let back = 1; back <= DAYS_BACK; back += 1) {
    if (draw.chance(0.4)) continue;
    const date = addDays(horizonStart(today), -back);
    const ofDay = runs.filter((run) => dayOf(run.collected_at) === date);
    const engines = [...new Set((ofDay.length > 0 ? ofDay : runs).map((run) => run.engine))];
    const entities = draw.some(entityIds, 0.85);
    for (const engine of draw.some(engines, 0.5)) {
      const runCount = draw.int(1, 9);
      for (const entity of entities) {
        const key = { brand, entity, engine, date, run_count: runCount };
        records.push({ type: 'daily_stat', ...key, ...randomValues(draw) });
      }
    }
  }
  return records;
}

/** Fractions of a prime, which are never halfway between two decimals. */
function randomValues(draw: Draw) {
  const part = () => draw.int(0, 997) / 997;
  return {
    visibility: 100 * part(),
    ...draw.pick([{}, { share_of_voice_fraction: null }, { share_of_voice_fraction: part() }]),
    ...draw.pick([{}, { citation_share: null }, { citation_share: part() }]),
    ...draw.pick([{}, { sentiment_index: null }, { sentiment_index: 100 * part() }]),
    ...draw.pick([{}, { presence_rate: null }, { presence_rate: part() }]),
  };
}
