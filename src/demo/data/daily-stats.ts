/** Generates stored statistics of days that are older than the runs in the dataset. */
import { engineIds } from '../../contract/engines.js';
import { type EntitySums, measureNames } from '../../contract/measures.js';
import { isSameOrSubdomain } from '../../server/answers/citations/domain.js';
import { positionWeight } from '../../server/answers/metrics/samples.js';
import { valuesOf } from '../../server/answers/metrics/values.js';
import type { RecordOf } from '../../server/intake/dataset/records/index.js';
import type { Run } from '../../server/intake/dataset/records/run.js';
import { dateText, slotsOf } from './calendar.js';
import type { Entity, Market } from './market.js';
import { runOf } from './runs.js';

type Mention = Run['mentions'][number];
type DailyStat = RecordOf<'daily_stat'>;

/** The entity's mentions in each run that names it, sorted by their order. */
function mentionsOf(entity: Entity, runs: readonly Run[]): Mention[][] {
  const names = [entity.name, ...entity.aliases];
  return runs
    .map((run) => run.mentions.filter(({ name }) => names.includes(name)))
    .filter((found) => found.length > 0);
}

function sumsOf(entity: Entity, runs: readonly Run[], hosts: readonly string[]): EntitySums {
  const present = mentionsOf(entity, runs);
  const orders = present.map(([first]) => first!.order);
  const tones = present.flatMap((mentions) => mentions.find(({ sentiment }) => sentiment)?.sentiment ?? []);
  const { domain } = entity;
  return {
    present: present.length,
    positionSum: orders.reduce((sum, order) => sum + order, 0),
    weightSum: orders.reduce((sum, order) => sum + positionWeight(order), 0),
    positive: tones.filter((tone) => tone === 'positive').length,
    neutral: tones.filter((tone) => tone === 'neutral').length,
    negative: tones.filter((tone) => tone === 'negative').length,
    citations: domain === undefined ? 0 : hosts.filter((host) => isSameOrSubdomain(host, domain)).length,
  };
}

/**
 * The statistics of the runs of one engine and day, per entity. The runs are the same that the generator makes for this
 * day, so that history is continuous where the runs of the dataset begin.
 */
function statsOf(market: Market, date: string, engine: string, runs: readonly Run[]): DailyStat[] {
  const hosts = runs.flatMap((run) => run.citations.map(({ url }) => new URL(url).hostname));
  const sums = market.entities.map((entity) => ({ entity, sum: sumsOf(entity, runs, hosts) }));
  const presences = sums.reduce((total, { sum }) => total + sum.present, 0);
  const totals = { runs: runs.length, citations: hosts.length, presences };
  return sums.map(({ entity, sum }) => {
    const hasDomain = entity.domain !== undefined;
    const values = valuesOf(measureNames, { totals, entity: sum, hasDomain });
    return {
      type: 'daily_stat',
      brand: market.brand,
      entity: entity.id,
      engine,
      date,
      run_count: runs.length,
      ...values,
      visibility: values.visibility!,
    };
  });
}

/** The statistics of one day: a record per entity and engine that collected. */
export function* dailyStats(market: Market, day: number): Generator<DailyStat> {
  const slots = [...slotsOf(market, day)];
  for (const engine of engineIds) {
    const runs = slots.filter((slot) => slot.engine === engine).map((slot) => runOf(market, slot));
    if (runs.length > 0) yield* statsOf(market, dateText(day), engine, runs);
  }
}
