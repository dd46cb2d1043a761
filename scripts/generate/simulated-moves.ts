/**
 * Brands that are asked for the same 30 prompts by 8 engines every day, to count what is told of them. A quiet brand answers
 * alike for ever, but for chance; of others something is another one from one day on.
 */
import { blendedEngineIds, type EngineId } from '../../src/contract/engines.js';
import { randomOf } from '../../src/demo/data/random.js';
import { type History, scopesOf } from '../../src/server/alerts/moves/history.js';
import { NO_SUMS, positionWeight } from '../../src/server/answers/metrics/samples.js';
import type { EngineDay, EngineDayEntity } from '../../src/server/answers/sums/collected-days.js';
import { addDays, everyDayOf, type Window } from '../../src/server/base/days.js';

const PROMPTS = 30;
/** Standard deviation of prompts, on the scale of log odds; that of engines is a third of it. */
const SPREAD = 1.2;
const COMPETITORS = 4;
/** How often a mention has which rank. */
const RANKS = [0.4, 0.7, 0.9, 1];
const WEIGHTS = RANKS.map((_, at) => positionWeight(at + 1));
const CITATIONS = 4;
const OWN_CITATIONS = 0.08;
const TONES = { positive: 0.5, negative: 0.15 } as const;

interface Simulation {
  readonly seed: string;
  readonly days: Window;
  /** Standard deviation of the shock of a day, on the scale of log odds: all its answers are a little more or less likely to name. */
  readonly dayShock: number;
  /** The share of answers that name the brand. */
  readonly presence?: number;
  /** If omitted, all that are blended. */
  readonly engines?: readonly EngineId[];
  readonly changes?: readonly Change[];
}

/** What is another one from a day on, of one entity; what is omitted stays. */
export interface Change {
  readonly from: string;
  /** If omitted, it lasts. */
  readonly until?: string;
  /** If omitted, the brand. */
  readonly entity?: number;
  /** If omitted, all. */
  readonly engines?: readonly EngineId[];
  /** Only the first so many prompts, as those of a topic; if omitted, all. */
  readonly prompts?: number;
  /** The share of the answers to these prompts on these engines that name it. */
  readonly presence?: number;
  /** The share of the citations. */
  readonly citations?: number;
  /** The part of its mentions that is positive. */
  readonly positive?: number;
}

const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds));
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** What to add to log odds, so that their mean probability is `wanted`. */
function offsetFor(odds: readonly number[], wanted: number): number {
  let [low, high] = [-12, 12];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (mean(odds.map((each) => logistic(each + middle))) < wanted) low = middle;
    else high = middle;
  }
  return low;
}

export function simulatedHistory({
  seed,
  days,
  dayShock,
  presence = 0.5,
  engines = blendedEngineIds,
  changes = [],
}: Simulation): History {
  const { next } = randomOf(seed);
  /** Box and Muller. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const entities = Array.from({ length: COMPETITORS + 1 }, (_, entity) => {
    const prompts = Array.from({ length: PROMPTS }, () => SPREAD * normal());
    const odds = engines.map(() => {
      const engine = (SPREAD / 3) * normal();
      return prompts.map((prompt) => prompt + engine);
    });
    const usual = entity === 0 ? presence : 0.15 + 0.5 * next();
    return { odds, offset: offsetFor(odds.flat(), usual) };
  });
  const changed = changes.map((change) => {
    const { entity = 0, prompts = PROMPTS, presence: wanted, engines: on = engines } = change;
    const { odds, offset } = entities[entity]!;
    const those = odds.filter((_, at) => on.includes(engines[at]!)).flatMap((each) => each.slice(0, prompts));
    return {
      ...change,
      entity,
      prompts,
      on,
      offset: wanted === undefined ? offset : offsetFor(those, wanted),
    };
  });
  const totals: EngineDay[] = [];
  const sums: EngineDayEntity[] = [];
  for (const day of everyDayOf(days)) {
    const shock = dayShock * normal();
    for (const [at, engine] of engines.entries()) {
      totals.push({ day, engine, runs: PROMPTS, citations: CITATIONS * PROMPTS });
      for (const [entity, { odds, offset }] of entities.entries()) {
        const now = changed.filter(
          (each) =>
            each.entity === entity &&
            day >= each.from &&
            (each.until === undefined || day < each.until) &&
            each.on.includes(engine),
        );
        const cited = now.find(({ citations }) => citations !== undefined)?.citations ?? OWN_CITATIONS;
        const positive = now.find((each) => each.positive !== undefined)?.positive ?? TONES.positive;
        const named = { ...NO_SUMS };
        for (const [prompt, each] of odds[at]!.entries()) {
          const usual = now.find(({ prompts }) => prompt < prompts)?.offset ?? offset;
          if (next() >= logistic(each + usual + shock)) continue;
          const draw = next();
          const rank = RANKS.findIndex((limit) => draw < limit);
          const tone = next();
          named.present += 1;
          named.positionSum += rank + 1;
          named.weightSum += WEIGHTS[rank]!;
          if (tone < positive) named.positive += 1;
          else if (tone < positive + TONES.negative) named.negative += 1;
          else named.neutral += 1;
        }
        for (let citation = 0; citation < CITATIONS * PROMPTS; citation += 1)
          if (next() < cited) named.citations += 1;
        sums.push({ day, engine, entity, ...named });
      }
    }
  }
  return {
    tracked: entities.map((_, entity) => ({
      entity,
      id: `e${entity}`,
      name: `Name ${entity}`,
      domain: `${entity}.example`,
    })),
    scopes: scopesOf(totals, sums),
    // Every day asks the same.
    surfaces: async () => [],
    overlap: async () => ({ currentRuns: 1, currentShared: 1, previousRuns: 1, previousShared: 1 }),
  };
}

const TWO_ENGINES = { presence: 0.25, engines: ['chatgpt', 'perplexity'] } as const;

interface TrueChange {
  /** The brand before, and what is another one; its changes begin on a day that is given. */
  readonly brand: (from: string) => Omit<Simulation, 'seed' | 'days' | 'dayShock'>;
  /** What its message should say first: the beginning of its title. */
  readonly headline: RegExp;
}

/** Changes of different kinds, each of which should be one message. */
export const TRUE_CHANGES: Readonly<Record<string, TrueChange>> = {
  'two engines, presence 25 to 65 %': {
    brand: (from) => ({
      ...TWO_ENGINES,
      changes: [{ from, presence: 0.65 }],
    }),
    headline: /^Presence rose/,
  },
  'the brand rises on all engines': {
    brand: (from) => ({ changes: [{ from, presence: 0.7 }] }),
    headline: /^Presence rose/,
  },
  'the brand falls on all engines': {
    brand: (from) => ({ changes: [{ from, presence: 0.3 }] }),
    headline: /^Presence fell/,
  },
  'it rises on one engine': {
    brand: (from) => ({ changes: [{ from, engines: ['chatgpt'], presence: 0.85 }] }),
    headline: /^Presence on ChatGPT rose/,
  },
  'it falls on one engine': {
    brand: (from) => ({ changes: [{ from, engines: ['gemini'], presence: 0.15 }] }),
    headline: /^Presence on Gemini fell/,
  },
  'a rival rises': {
    brand: (from) => ({ changes: [{ from, entity: 2, presence: 0.85 }] }),
    headline: /^Share of voice (fell|of Name 2 rose)/,
  },
  'a rival falls': {
    brand: (from) => ({ changes: [{ from, entity: 2, presence: 0.05 }] }),
    headline: /^Share of voice (rose|of Name 2 fell)/,
  },
  'it is cited more often': {
    brand: (from) => ({ changes: [{ from, citations: 0.16 }] }),
    headline: /^Citation share rose/,
  },
  'it is described worse': {
    brand: (from) => ({ changes: [{ from, positive: 0.2 }] }),
    headline: /^Sentiment fell/,
  },
  'it rises for the prompts of a topic': {
    brand: (from) => ({ changes: [{ from, prompts: 10, presence: 0.9 }] }),
    headline: /^Presence rose/,
  },
};

/** Changes that follow a smaller one, or what chance showed; the last one should be told too, by presence of all engines. */
export const SECOND_CHANGES: Readonly<Record<string, TrueChange['brand']>> = {
  'a small rise, 12 days later a large one': (from) => ({
    ...TWO_ENGINES,
    changes: [
      { from: addDays(from, -12), until: from, presence: 0.35 },
      { from, presence: 0.65 },
    ],
  }),
  'a few days as if by chance, then a large rise': (from) => ({
    ...TWO_ENGINES,
    changes: [
      { from: addDays(from, -6), until: addDays(from, -2), presence: 0.45 },
      { from, presence: 0.65 },
    ],
  }),
};
