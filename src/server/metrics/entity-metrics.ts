/**
 * The formulas of docs/metrics.md, from exact sums to unrounded values. Null means "not measured": there was nothing
 * to divide by. It never means zero, and zero is never written for it here; where a field of the contract has no
 * null, its reader says which zero stands for what.
 */

/** Sums over the runs of a window and some engines. */
export interface WindowSums {
  readonly runs: number;
  readonly citations: number;
  /** Runs with each tracked entity, summed over all entities: an entity counts once per run. */
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

export const NO_SUMS: EntitySums = {
  present: 0,
  positionSum: 0,
  weightSum: 0,
  positive: 0,
  neutral: 0,
  negative: 0,
  citations: 0,
};

const WEIGHT_UNIT = 1e9;

/** What a mention at this 1-based rank adds to `weightSum`; the roll-ups compute the same in SQL. */
export const positionWeight = (order: number): number => Math.round(WEIGHT_UNIT / Math.log2(1 + order));

/** Share of runs that mention the entity, 0 to 1. */
export const presenceRate = (entity: { present: number }, runs: number): number | null =>
  runs === 0 ? null : entity.present / runs;

/**
 * Mean over runs of 1/log2(1 + rank), as 0 to 100: presence discounted by rank as in DCG (Järvelin and Kekäläinen,
 * 2002). Never above 100 × presence rate, and positive whenever the entity is present.
 */
export const visibility = (entity: { weightSum: number }, runs: number): number | null =>
  runs === 0 ? null : (100 * entity.weightSum) / (WEIGHT_UNIT * runs);

/** Mean 1-based rank over the runs that mention the entity. */
export const avgPosition = (entity: { present: number; positionSum: number }): number | null =>
  entity.present === 0 ? null : entity.positionSum / entity.present;

/** The entity's part of all presences of tracked entities, 0 to 1. */
export const shareOfVoice = (entity: { present: number }, totals: { presences: number }): number | null =>
  totals.presences === 0 ? null : entity.present / totals.presences;

/** The same ratio as a percentage, divided once so that ties round as the exact ratio does. */
export const shareOfVoicePercent = (
  entity: { present: number },
  totals: { presences: number },
): number | null => (totals.presences === 0 ? null : (100 * entity.present) / totals.presences);

/** Citations of the entity's own pages among all citations, 0 to 1; null also where it has no domain. */
export const citationShare = (
  entity: { citations: number },
  totals: { citations: number },
  hasDomain: boolean,
): number | null => (totals.citations === 0 || !hasDomain ? null : entity.citations / totals.citations);

/** 50 + 50 × (positive − negative) / scored, 0 to 100; unscored mentions do not count as neutral. */
export function sentimentIndex(entity: Pick<EntitySums, 'positive' | 'neutral' | 'negative'>): number | null {
  const scored = entity.positive + entity.neutral + entity.negative;
  return scored === 0 ? null : 50 + (50 * (entity.positive - entity.negative)) / scored;
}
