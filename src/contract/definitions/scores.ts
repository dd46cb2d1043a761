import { LOW_CONFIDENCE_BELOW_RUNS } from '../limits.js';
import { type RatioMetric, ratioMetrics } from '../metrics.js';
import { counted, type Definition, type DefinitionGroup, judged, ratio } from './definition.js';
import { daySums, estimators } from './estimators.js';

type Words = Pick<Definition, 'what' | 'formula' | 'rounding' | 'denominator' | 'empty'>;

function metric(name: RatioMetric, words: Words): Definition {
  const { x, y, interval } = daySums[name];
  const unit = ratioMetrics[name].unit;
  return { name, ...words, unit, interval: `${estimators[interval]}; X of a day: ${x}, Y: ${y}` };
}

export const scores: DefinitionGroup = {
  id: 'scores',
  title: 'Scores and shares',
  definitions: [
    metric('visibility', {
      what: 'How often and how early answers name you. 100: first in every answer.',
      formula: '100 / runs × Σ 1 / log2(1 + order), over the runs that mention it',
      rounding: '0.1; prompts: to an integer',
      denominator: 'runs',
      empty:
        'null in prompts, history and slices; 0 in plain overview and competitors, which were released without null',
    }),
    metric('presence_rate', {
      what: 'How often answers name you. 100 %: every answer does.',
      formula: 'runs that mention the entity / runs',
      rounding: '0.001',
      denominator: 'runs',
      empty: 'null in prompts and slices; 0 in the plain overview, which was released without null',
    }),
    metric('share_of_voice_fraction', {
      what: 'How much of the attention is yours: of all namings of you and your competitors, the part that names you.',
      formula: 'runs that mention it / the same, summed over all tracked entities',
      rounding: '0.001',
      denominator: 'runs that mention an entity, summed over all tracked entities',
      empty:
        '0 in plain overview and competitors, which were released without null; null in history, and in a slice without runs',
    }),
    {
      name: 'share_of_voice',
      what: 'share_of_voice_fraction as a percentage; frozen, kept for old callers.',
      formula: '100 × the same ratio, rounded once',
      unit: 'percent',
      rounding: '0.1',
      denominator: 'runs that mention an entity, summed over all tracked entities',
      empty: '0, because it was released without null; null in a slice without runs',
      interval: null,
    },
    metric('citation_share', {
      what: 'How often answers cite you: of all the pages that they cite, the part that is yours.',
      formula: 'citations of its domain or a subdomain / all citations',
      rounding: 'none; history: 0.001',
      denominator: 'citations of the runs in scope',
      empty: 'null: no citation at all, or it has no domain',
    }),
    metric('sentiment_index', {
      what: 'How well answers speak of you. 0: only criticism, 50: neutral, 100: only praise.',
      formula: '50 + 50 × (positive − negative) / (positive + neutral + negative)',
      rounding: '0.1',
      denominator: 'runs with a scored mention of the entity',
      empty: 'null: no scored mention, which is not neutral',
    }),
    ratio('avg_position', 'rank', ['Σ order', 'runs that mention it'], {
      what: 'How early answers that name you do so, on average, among all names in them. 1: you come first.',
      empty: 'null: never present',
    }),
    counted(
      'order',
      'rank',
      'The rank of a name in one answer.',
      'from 1, in the order of the answer',
      'never null',
    ),
  ],
};

export const sample: DefinitionGroup = {
  id: 'sample',
  title: 'How much was measured',
  definitions: [
    counted(
      'run_count',
      'runs',
      'The runs behind the numbers of the same object; sample_size and window_run_count are the same for a day and for a window.',
      'collected answers in window and scope, all prompts and regions together; in a row of prompts those of the prompt',
      '0: nothing was measured, and zeros of the same object are no measurements',
      ['run_count', 'window_run_count', 'sample_size'],
    ),
    counted(
      'surfaces.run_count',
      'runs',
      'The runs that were collected through one surface.',
      'runs of the window that state the surface; with surface null those that state none',
      'a surface without runs is not listed',
    ),
    counted(
      'previous_run_count',
      'runs',
      'The runs of the window just before.',
      'collected answers in the window of equal length before, in the same scope',
      '0: there is nothing to compare with',
    ),
    judged(
      'low_confidence',
      { what: 'Whether there are too few runs to rely on the numbers.', empty: 'true' },
      `runs < ${LOW_CONFIDENCE_BELOW_RUNS}`,
    ),
    judged(
      'has_prior_window',
      { what: 'Whether the window of equal length just before has data.', empty: 'false' },
      'the prior window has a run in scope',
    ),
    counted(
      'window_days',
      'days',
      'The length of the window.',
      'UTC days from the first to the last one, both included',
      'never null; a window without data has its length too',
      ['window_days', 'window.days'],
    ),
    counted(
      'metrics_version',
      'version',
      'The version of these formulas.',
      'raised by any change to how a metric is computed; intervals and verdicts change with the version of the API',
      'never null',
    ),
  ],
};
