/** How intervals and verdicts are computed, from sums X and Y of each day: R = ΣX / ΣY, over the G days with Y > 0. */
import type { RatioMetric } from '../metrics.js';

/** R, and its variance V. */
export const RATIO = 'R = ΣX / ΣY over the G days with Y > 0';
export const VARIANCE = 'V = G / (G − 1) · Σ u² with u = (X − R·Y) / ΣY';

export const estimators = {
  linearised:
    'R ± t(G − 1) · √V, on the scale of the metric and cut at 0 and 100; at 0 and 100 that of a share of 0 or 1, times 100',
  wilson:
    'Wilson’s interval (1927) with the sample size n = R(1 − R) / V · (z / t(G − 1))², at most ΣY; n = ΣY / 2, at least G, if R is 0 or 1',
  verdict:
    'up or down if the difference of R exceeds t(G₁ + G₂ − 2) · √V with V = V₁ + V₂, else no_clear_change; unknown if there is too little to compare; with few mentions V is at least W',
  leastVariance:
    'few mentions: in one of the windows fewer than 5 runs mention the entity (citations of its domain, scored runs), or, for a share, fewer than 5 of ΣY are not its own. W = s² · (1 / ΣY₁ + 1 / ΣY₂), s² = p(1 − p), p = (ΣX₁ + ΣX₂ + 1) / (ΣY₁ + ΣY₂ + 2); sentiment: s² = (positive + negative + 2) / N − ((ΣX₁ + ΣX₂) / N)², N = ΣY₁ + ΣY₂ + 2',
} as const;

/** X and Y of each metric, and the interval that it has. */
export const daySums: {
  readonly [M in RatioMetric]: {
    readonly x: string;
    readonly y: string;
    readonly interval: 'linearised' | 'wilson';
  };
} = {
  visibility: { x: 'Σ 1 / log2(1 + order)', y: 'runs', interval: 'linearised' },
  presence_rate: { x: 'runs that mention the entity', y: 'runs', interval: 'wilson' },
  share_of_voice_fraction: {
    x: 'runs that mention it',
    y: 'the same, summed over all tracked entities',
    interval: 'wilson',
  },
  citation_share: { x: 'citations of its domain', y: 'citations', interval: 'wilson' },
  sentiment_index: { x: 'positive − negative runs', y: 'scored runs', interval: 'linearised' },
};
