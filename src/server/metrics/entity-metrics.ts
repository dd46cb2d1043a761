/**
 * The formulas of docs/metrics.md. They take exact sums and return unrounded values. Null means "not measured": the
 * divisor is zero. No formula returns zero for "not measured"; if a field of the contract does not allow null, its
 * reader documents the zero.
 */

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

export const NO_SUMS: EntitySums = {
  present: 0,
  positionSum: 0,
  weightSum: 0,
  positive: 0,
  neutral: 0,
  negative: 0,
  citations: 0,
};

/** Weights are summed as whole numbers in this unit. */
export const WEIGHT_UNIT = 1e9;

/** The addend of a mention at this 1-based rank in `weightSum`. The roll-ups compute the same in SQL. */
export const positionWeight = (order: number): number => Math.round(WEIGHT_UNIT / Math.log2(1 + order));

/** Share of runs that mention the entity, 0 to 1. */
export const presenceRate = (entity: { present: number }, runs: number): number | null =>
  runs === 0 ? null : entity.present / runs;

/**
 * Mean of 1/log2(1 + rank) over all runs, scaled to 0 to 100: presence discounted by rank as in DCG (Järvelin and
 * Kekäläinen, 2002). At most 100 × presence rate, and positive if any run mentions the entity.
 */
export const visibility = (entity: { weightSum: number }, runs: number): number | null =>
  runs === 0 ? null : (100 * entity.weightSum) / (WEIGHT_UNIT * runs);

/** Mean 1-based rank over the runs that mention the entity. */
export const avgPosition = (entity: { present: number; positionSum: number }): number | null =>
  entity.present === 0 ? null : entity.positionSum / entity.present;

/** The entity's share of the presences of all tracked entities, 0 to 1. */
export const shareOfVoice = (entity: { present: number }, totals: { presences: number }): number | null =>
  totals.presences === 0 ? null : entity.present / totals.presences;

/** The same ratio as a percentage. It is divided only once, so that a tie rounds like the exact ratio. */
export const shareOfVoicePercent = (
  entity: { present: number },
  totals: { presences: number },
): number | null => (totals.presences === 0 ? null : (100 * entity.present) / totals.presences);

/** The share of citations of the entity's own pages in all citations, 0 to 1; null also if the entity has no domain. */
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
