/** The tones of an entity's mentions, from which the sentiment index is computed. */
import { type EntitySums, sentimentIndex } from './entity-metrics.js';
import { round } from './rounding.js';

export type ToneSums = Pick<EntitySums, 'present' | 'positive' | 'neutral' | 'negative'>;

/** Counts of runs that name the entity; positive + neutral + negative + unscored = mentions. */
export interface Tones {
  /** 0 to 100, rounded to 0.1; null: no mention was scored, which differs from neutral. */
  readonly sentiment_index: number | null;
  readonly mentions: number;
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
  readonly unscored: number;
}

export function tonesOf({ present, positive, neutral, negative }: ToneSums): Tones {
  return {
    sentiment_index: round(sentimentIndex({ positive, neutral, negative }), 1),
    mentions: present,
    positive,
    neutral,
    negative,
    unscored: present - positive - neutral - negative,
  };
}
