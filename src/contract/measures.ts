/**
 * The measures of an entity: each is one ratio of exact sums, and everything else that the product says about it follows from
 * its row. Null means not measured: the denominator is zero, or the entity cannot have the measure.
 */
import type { Definition } from './definition.js';

/** Sums over the runs of a window and a set of engines. */
export interface WindowSums {
  readonly runs: number;
  readonly citations: number;
  /** The number of runs that mention an entity, summed over all tracked entities. */
  readonly presences: number;
}

/** Sums of one entity over the same runs. */
export interface EntitySums {
  readonly present: number;
  readonly positionSum: number;
  /** Sum of round(10⁹ / log2(1 + order)). */
  readonly weightSum: number;
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
  readonly citations: number;
}

/** Weights are summed as whole numbers in this unit. */
export const WEIGHT_UNIT = 1e9;

/** What a value of each scale is: `plus + times × ratio`, rounded to `digits`, shown to people `shown` times as large. */
export const scales = {
  score: {
    unit: 'score_0_100',
    times: 100,
    plus: 0,
    digits: 1,
    shown: 1,
    suffix: '',
    range: '0–100',
    deltaUnit: 'relative_pct',
    differenceUnit: 'points',
    interval: 'linearised',
  },
  index: {
    unit: 'index_0_100',
    times: 50,
    plus: 50,
    digits: 1,
    shown: 1,
    suffix: '',
    range: '0–100',
    deltaUnit: 'index_points',
    differenceUnit: 'points',
    interval: 'linearised',
  },
  /** People read percentages; pp are percentage points. */
  fraction: {
    unit: 'fraction_0_1',
    times: 1,
    plus: 0,
    digits: 3,
    shown: 100,
    suffix: ' %',
    range: '%',
    deltaUnit: 'fraction_points',
    differenceUnit: 'pp',
    interval: 'wilson',
  },
} as const;

type Sum = (entity: EntitySums, window: WindowSums) => number;

interface Measure {
  /** In lower case, as in the head of a column. */
  readonly label: string;
  /** Other names that users type. */
  readonly synonyms?: readonly string[];
  readonly scale: keyof typeof scales;
  /** Numerator and denominator, in whole numbers. */
  readonly of: Sum;
  readonly per: Sum;
  /** The unit of the numerator; 1 if omitted. */
  readonly weighed?: number;
  /** The observations that count for the entity, and the sum of their squares; both as the numerator if omitted. */
  readonly own?: Sum;
  readonly squares?: Sum;
  /** An entity without a domain cannot be measured. */
  readonly needsDomain?: true;
  /** Reads state it unrounded, but for the history. */
  readonly unrounded?: true;
  /** A frozen field with the same ratio as a percentage. */
  readonly percentage?: string;
  /** What reads state where answers were measured and the denominator is 0 nevertheless; null if omitted. */
  readonly ofNothing?: 0;
  /** Rows of competitors do not have it. */
  readonly notInRows?: true;
  /** What the glossary says: one sentence or two about the brand. */
  readonly means: string;
  /** What its definition says: “you” is the brand or competitor of the row. */
  readonly what: string;
  readonly words: { readonly of: string; readonly per: string };
  /** The formula and its denominator, where they are longer than those words. */
  readonly formula?: string;
  readonly denominator?: string;
  /** How one of the reads rounds it differently. */
  readonly rounding?: string;
  /** The value when nothing was measured, and why. */
  readonly empty: string;
}

const perRun: Sum = (_, { runs }) => runs;
const scored: Sum = ({ positive, neutral, negative }) => positive + neutral + negative;

/** In the order of the scorecard. */
export const measures = {
  /**
   * Presence discounted by rank as in DCG (Järvelin and Kekäläinen, 2002). At most 100 × presence rate, and positive if any run
   * mentions the entity. The squares of the weights are not stored: they are at most the weights.
   */
  visibility: {
    label: 'visibility',
    scale: 'score',
    of: ({ weightSum }) => weightSum,
    per: perRun,
    weighed: WEIGHT_UNIT,
    own: ({ present }) => present,
    means: 'How often and how early answers name the brand, from 0 to 100. 100: first in every answer.',
    what: 'How often and how early answers name you. 100: first in every answer.',
    words: { of: 'Σ 1 / log2(1 + order)', per: 'runs' },
    formula: '100 / runs × Σ 1 / log2(1 + order), over the runs that mention it',
    rounding: 'prompts: to an integer',
    empty:
      'null in prompts, history and slices; 0 in plain overview and competitors, which were released without null',
  },
  presence_rate: {
    label: 'presence',
    scale: 'fraction',
    of: ({ present }) => present,
    per: perRun,
    notInRows: true,
    means: 'The share of answers that name the brand.',
    what: 'How often answers name you. 100 %: every answer does.',
    words: { of: 'runs that mention the entity', per: 'runs' },
    empty: 'null in prompts, history and slices; 0 in the plain overview, which was released without null',
  },
  share_of_voice_fraction: {
    label: 'share of voice',
    synonyms: ['sov'],
    scale: 'fraction',
    of: ({ present }) => present,
    per: (_, { presences }) => presences,
    percentage: 'share_of_voice',
    ofNothing: 0,
    means: 'The part of the brand in all mentions of the brand and its competitors.',
    what: 'How much of the attention is yours: of all mentions of you and your competitors, the part that names you.',
    words: { of: 'runs that mention it', per: 'the same, summed over all tracked entities' },
    denominator: 'runs that mention an entity, summed over all tracked entities',
    empty:
      '0 in plain overview and competitors, which were released without null; null in history, and in a slice without runs',
  },
  citation_share: {
    label: 'citation share',
    synonyms: ['citations', 'citation'],
    scale: 'fraction',
    of: ({ citations }) => citations,
    per: (_, { citations }) => citations,
    needsDomain: true,
    unrounded: true,
    means: 'The share of citations that lead to pages of the brand.',
    what: 'How often answers cite you: of all the pages that they cite, the part that is yours.',
    words: { of: 'citations of its domain', per: 'citations' },
    formula: 'citations of its domain or a subdomain / all citations',
    denominator: 'citations of the runs in scope',
    empty: 'null: no citation at all, or it has no domain',
  },
  /** Unscored mentions do not count as neutral. */
  sentiment_index: {
    label: 'sentiment',
    scale: 'index',
    of: ({ positive, negative }) => positive - negative,
    per: scored,
    own: scored,
    squares: ({ positive, negative }) => positive + negative,
    means: 'The balance of positive and negative tones towards the brand, from 0 to 100. 50 is neutral.',
    what: 'How well answers speak of you. 0: only criticism, 50: neutral, 100: only praise.',
    words: { of: 'positive − negative runs', per: 'scored runs' },
    formula: '50 + 50 × (positive − negative) / (positive + neutral + negative)',
    denominator: 'runs with a scored mention of the entity',
    empty: 'null: no scored mention, which is not neutral',
  },
} as const satisfies { readonly [name: string]: Measure };

export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as MeasureName[];

/** The measures that rows of competitors have. */
export type EntityMeasure = {
  [M in MeasureName]: (typeof measures)[M] extends { notInRows: true } ? never : M;
}[MeasureName];
export const entityMeasureNames = measureNames.filter(
  (name): name is EntityMeasure => !measureOf(name).notInRows,
);

/** The measures whose daily values, weighted by runs, have the value over all of these runs as their mean. */
export const averagedMeasures = measureNames.filter((name) => measureOf(name).per === perRun);

export function measureOf(name: MeasureName): Measure {
  return measures[name];
}
export const scaleOf = (name: MeasureName) => scales[measureOf(name).scale];

/** One entity over some runs. */
export interface Sums {
  readonly totals: WindowSums;
  readonly entity: EntitySums;
}

export interface MeasuredSums extends Sums {
  /** Whether a domain of the entity is known. */
  readonly hasDomain: boolean;
}

/** The measure as a ratio, in whole numbers. `one` is what one observation adds to the denominator. */
export function ratioOf(name: MeasureName, { entity, totals }: Sums) {
  const { of, per, weighed: one = 1 } = measureOf(name);
  return { numerator: of(entity, totals), denominator: one * per(entity, totals), one };
}

/** The sums of an entity that the measure and its interval are computed from, found by computing them. */
export function neededSums(name: MeasureName): ReadonlySet<keyof EntitySums> {
  const { of, per, own, squares } = measureOf(name);
  const found = new Set<keyof EntitySums>();
  const entity = new Proxy({} as EntitySums, { get: (_, sum: keyof EntitySums) => found.add(sum).size });
  for (const sum of [of, per, own, squares]) sum?.(entity, { runs: 1, citations: 1, presences: 1 });
  return found;
}

/** Whether the measure depends on what is found of every other entity. */
export const needsEveryEntity = (name: MeasureName): boolean => {
  const per = (presences: number) =>
    measureOf(name).per({} as EntitySums, { runs: 1, citations: 1, presences });
  return per(1) !== per(2);
};

/** Whether the entity can have the measure at all. */
export const isMeasurable = (name: MeasureName, hasDomain: boolean): boolean =>
  hasDomain || !measureOf(name).needsDomain;

/** The value, unrounded. */
export function measureValue(name: MeasureName, sums: MeasuredSums): number | null {
  const { numerator, denominator } = ratioOf(name, sums);
  if (denominator === 0 || !isMeasurable(name, sums.hasDomain)) return null;
  const { times, plus } = scaleOf(name);
  return plus + (times * numerator) / denominator;
}

/**
 * The mean rank over the runs that mention the entity. It is no measure, because it is not a share of anything: it has no
 * scale, no interval and no verdict.
 */
export const averagePosition = {
  label: 'average position',
  means: 'The mean rank of the brand in the answers that name it. 1 is first.',
  what: 'How early answers that name you do so, on average, among all names in them. 1: you come first.',
  words: { of: 'Σ order', per: 'runs that mention it' },
  empty: 'null: never present',
  value: ({ positionSum, present }: Pick<EntitySums, 'positionSum' | 'present'>): number | null =>
    present === 0 ? null : positionSum / present,
} as const;

// Intervals and verdicts.

/** The probability with which an interval covers the value. */
export const INTERVAL_LEVEL = 0.95;
/** Percentage points by which the share of a surface may differ between two windows that a verdict compares. */
export const MAX_MOVED_POINTS = 20;

/** What divides a window for intervals. Weeks were released, and divided long windows. */
export const intervalUnits = ['day', 'week'] as const;
export type IntervalUnit = (typeof intervalUnits)[number];

export const verdicts = ['up', 'down', 'no_clear_change', 'unknown'] as const;
export type Verdict = (typeof verdicts)[number];

/** How they are computed, from sums X and Y of each day: R = ΣX / ΣY, over the G days with Y > 0. V is the variance of R. */
export const estimators = {
  ratio: 'R = ΣX / ΣY over the G days with Y > 0',
  variance:
    'V = Σ w·u·u′ / (1 − Σ w / G²) over all pairs of days with u = (X − R·Y) / ΣY, not below 0; w = 1 − d / L for days d < L apart, else 0; L = 7 in windows of 28 days and more, else 1, which makes V = G / (G − 1) · Σ u²',
  freedom: 'ν = G² / Σ w² − 1, which is G − 1 for L = 1',
  linearised:
    'R ± t(ν) · √V, on the scale of the metric and cut at 0 and 100; at 0 and 100 that of a share of 0 or 1, times 100',
  wilson:
    'Wilson’s interval (1927) with the sample size n = R(1 − R) / V · (z / t(ν))², at most ΣY; n = ΣY / 2, at least G, if R is 0 or 1',
  verdict:
    'up or down if the difference of R exceeds t(ν₁ + ν₂) · √V with V = V₁ + V₂, else no_clear_change; unknown if there is too little to compare; with few mentions V is at least W',
  leastVariance:
    'few mentions: in one of the windows fewer than 5 runs mention the entity (citations of its domain, scored runs), or, for a share, fewer than 5 of ΣY are not its own. W = s² · (1 / ΣY₁ + 1 / ΣY₂), s² = p(1 − p), p = (ΣX₁ + ΣX₂ + 1) / (ΣY₁ + ΣY₂ + 2); sentiment: s² = (positive + negative + 2) / N − ((ΣX₁ + ΣX₂) / N)², N = ΣY₁ + ΣY₂ + 2',
} as const;

// How a change is written for people, on every face: `+3.2 points`, `−1.5 pp`. Formats for programs have the exact number
// instead, with a hyphen for the minus sign.

/** U+2212, as wide as a plus. */
export const MINUS = '−';

/** A number with the minus sign of people. */
export const withMinus = (number: number): string => String(number).replace('-', MINUS);

const DIGITS = 1;
const LEAST = 10 ** -DIGITS;

/** A number with its sign: `+3.2`, `−0.4`, `±0.0`. */
const signed = (number: number): string => {
  const digits = Math.abs(number).toFixed(DIGITS);
  if (Number(digits) === 0) return `±${digits}`;
  return `${number < 0 ? MINUS : '+'}${digits}`;
};

/** A value as people read it. */
const shown = (metric: MeasureName, value: number): number => scaleOf(metric).shown * value;

/** A number that is not negative with its digits, or that with the minus sign of people; what rounds to 0 has no sign. */
const digitsOf = (number: number, digits: number): string => {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text;
};

/** The value on the scale that people read, with its unit: `27.9 %`. */
export const valueText = (metric: MeasureName, value: number, digits = DIGITS): string =>
  `${digitsOf(shown(metric, value), digits)}${scaleOf(metric).suffix}`;

/**
 * The difference of two values as people see them: from 26.1 to 27.9 it is 1.8, whatever the digits behind are. On the scale of
 * the metric; programs have the exact one.
 */
export const differenceSeen = (metric: MeasureName, now: number, before: number): number => {
  const [after, then] = [now, before].map((value) => Number(shown(metric, value).toFixed(DIGITS)));
  return Number((after! - then!).toFixed(DIGITS)) / scaleOf(metric).shown;
};

const unitOf = (metric: MeasureName): string => scaleOf(metric).differenceUnit;

/** The difference with its sign and unit: `+3.2 points`, `−1.5 pp`. */
export const differenceText = (metric: MeasureName, difference: number): string =>
  `${signed(shown(metric, difference))} ${unitOf(metric)}`;

/** The difference without its sign, for sentences that name the direction: `3.2 points`. One that moved is not 0. */
export function amountText(metric: MeasureName, difference: number): string {
  const amount = Math.abs(shown(metric, difference)).toFixed(DIGITS);
  return `${Number(amount) === 0 ? `less than ${LEAST}` : amount} ${unitOf(metric)}`;
}

/** The difference of a metric that moved, which is not 0. */
export const moveText = (metric: MeasureName, difference: number): string =>
  Number(shown(metric, difference).toFixed(DIGITS)) === 0
    ? amountText(metric, difference)
    : differenceText(metric, difference);

/** The field `delta` of the contract, for those who ask for it: relative, in percent, where it is relative. */
export const deltaText = (metric: MeasureName, delta: number): string =>
  scaleOf(metric).deltaUnit === 'relative_pct' ? `${signed(delta)} %` : differenceText(metric, delta);

// What docs/metrics.md, the page and `svc explain` say of the fields.

export const measureDefinitions = Object.fromEntries(
  measureNames.map((name) => [name, definitionOf(name)]),
) as { readonly [M in MeasureName]: Definition };

function definitionOf(name: MeasureName): Definition {
  const { what, words, formula, denominator = words.per, empty } = measureOf(name);
  const { unit, interval } = scaleOf(name);
  return {
    group: 'scores',
    what,
    formula: formula ?? `${words.of} / ${words.per}`,
    denominator,
    unit,
    rounding: roundingOf(name),
    empty,
    interval: `${estimators[interval]}; X of a day: ${words.of}, Y: ${words.per}`,
  };
}

function roundingOf(name: MeasureName): string {
  const { unrounded, rounding } = measureOf(name);
  const step = String(10 ** -scaleOf(name).digits);
  if (unrounded) return `none; history: ${step}`;
  return rounding === undefined ? step : `${step}; ${rounding}`;
}

/** The definition of `share_of_voice`, which is rounded once, so that a tie rounds like the exact ratio. */
export const percentageDefinition: Definition = {
  group: 'scores',
  what: 'share_of_voice_fraction as a percentage; frozen, kept for old callers.',
  formula: '100 × the same ratio, rounded once',
  denominator: measures.share_of_voice_fraction.denominator,
  unit: 'percent',
  rounding: '0.1',
  empty: '0, because it was released without null; null in a slice without runs',
};

export const averagePositionDefinition: Definition = {
  group: 'scores',
  what: averagePosition.what,
  formula: `${averagePosition.words.of} / ${averagePosition.words.per}`,
  denominator: averagePosition.words.per,
  unit: 'rank',
  scale: '1 and up',
  empty: averagePosition.empty,
};
