import type { Overview } from '../../contract/reads/overview.js';
import { unmeasured } from '../render/unmeasured.js';
import { count, percent, position, type ScorecardView, score, words } from '../render/view.js';

/** What the contract sends as 0 where no run was collected in the window. */
const zeros = ['visibility', 'presence_rate', 'share_of_voice', 'share_of_voice_fraction'] as const;

export const overviewView: ScorecardView<Overview> = {
  title: ({ brand, window_days }) => `${brand.name} · ${brand.domain} · last ${window_days} days`,
  shown: (data) => (data.run_count === 0 ? unmeasured(data, zeros) : data),
  uncertain: (data) => data.low_confidence,
  columns: [
    score('visibility', (data) => data.visibility),
    percent('presence', (data) => data.presence_rate),
    percent('share of voice', (data) => data.share_of_voice_fraction),
    percent('citation share', (data) => data.citation_share),
    score('sentiment', (data) => data.sentiment_index),
    position('avg position', (data) => data.avg_position),
    count('runs', (data) => data.run_count),
  ],
  words: ({ has_prior_window, window_days }) => [
    has_prior_window
      ? `The ${window_days} days before have runs too, to compare with.`
      : `The ${window_days} days before have no runs to compare with.`,
  ],
};

/** The same with a sparkline below the metric that it is about. */
export const overviewWith = (visibility: string, days: number): ScorecardView<Overview> => {
  const [first, ...rest] = overviewView.columns;
  const trend = words<Overview>(`visibility, ${days} days`, () => visibility);
  return { ...overviewView, columns: [first!, trend, ...rest] };
};
