/**
 * A panel of prompts that engines answer every day, to test intervals and verdicts with. Each prompt and engine has
 * its own probability to mention the brand. With day shocks, all answers of a day are a little more or less likely to.
 */
import type { EntitySums, WindowSums } from '../../src/contract/measures.js';
import { randomOf } from '../../src/demo/data/random.js';
import { positionWeight, type Sample, sampleOf } from '../../src/server/answers/metrics/samples.js';

const PROMPTS = 30;
const ENGINES = 8;
/** Standard deviations of prompts and engines, on the scale of log odds. */
const SPREAD = 1.2;
const WINDOW = { start: '2026-11-01', end: '2026-11-07' };
const DAYS = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-11-${day}`);
/** How often a mention has which rank. */
const RANKS = [0.4, 0.7, 0.9, 1];

export interface PanelSettings {
  readonly seed: string;
  /** Standard deviation of the shock of a day, on the scale of log odds. */
  readonly dayShock: number;
}

export interface SimulatedPanel {
  /** One week, its log odds raised by `lift`. */
  week(lift?: number): Sample;
  /** The metrics of an endless week. */
  readonly truth: { readonly presence_rate: number; readonly visibility: number };
}

const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** Points of the distribution of a shock, for the mean over all of them. */
const SHOCKS = Array.from({ length: 201 }, (_, at) => (at - 100) / 20);

export function simulatedPanel({ seed, dayShock }: PanelSettings): SimulatedPanel {
  const { next } = randomOf(seed);
  /** Box and Muller. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const engines = Array.from({ length: ENGINES }, () => (SPREAD / 3) * normal());
  const odds = Array.from({ length: PROMPTS }, () => SPREAD * normal() - 0.7).flatMap((prompt) =>
    engines.map((engine) => prompt + engine),
  );
  const weights = RANKS.map((_, at) => positionWeight(at + 1));
  const rankOf = (draw: number) => RANKS.findIndex((limit) => draw < limit);

  const day = (lift: number): { totals: WindowSums; entity: EntitySums } => {
    const shock = lift + dayShock * normal();
    let [present, weightSum] = [0, 0];
    for (const each of odds) {
      if (next() >= logistic(each + shock)) continue;
      present += 1;
      weightSum += weights[rankOf(next())]!;
    }
    const entity = { present, weightSum, positionSum: 0, positive: 0, neutral: 0, negative: 0, citations: 0 };
    return { totals: { runs: odds.length, citations: 0, presences: present }, entity };
  };

  const density = SHOCKS.map((shock) => Math.exp(-(shock ** 2) / 2));
  const meanOver = (of: (shock: number) => number) =>
    SHOCKS.reduce((sum, shock, at) => sum + of(shock) * density[at]!, 0) / density.reduce((a, b) => a + b);
  const presence = meanOver(
    (shock) => odds.reduce((sum, each) => sum + logistic(each + dayShock * shock), 0) / odds.length,
  );
  const meanWeight = RANKS.reduce(
    (sum, limit, at) => sum + (limit - (RANKS[at - 1] ?? 0)) * (weights[at]! / weights[0]!),
    0,
  );
  return {
    week: (lift = 0) => {
      const days = DAYS.map((name) => ({ name, ...day(lift) }));
      const totals = days.map(({ name, totals }) => ({ ...totals, day: name }));
      return sampleOf(WINDOW, totals, new Map(days.map(({ name, entity }) => [name, entity])), true);
    },
    truth: { presence_rate: presence, visibility: 100 * presence * meanWeight },
  };
}

const Z = 1.959964;

/** The interval that takes every run for an independent draw (Wilson, 1927). */
export function naiveInterval({ totals: { runs: n }, entity: { present } }: Sample): [number, number] {
  const share = present / n;
  const centre = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const radius = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n * n))) / (1 + Z ** 2 / n);
  return [centre - radius, centre + radius];
}

/** Whether the z-test of two proportions, which takes every run for an independent draw, sees a change. */
export function naiveChange(now: Sample, before: Sample): boolean {
  const [n, m] = [now.totals.runs, before.totals.runs];
  const pooled = (now.entity.present + before.entity.present) / (n + m);
  const difference = now.entity.present / n - before.entity.present / m;
  return Math.abs(difference) > Z * Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
}
