import { LOW_CONFIDENCE_BELOW_RUNS } from '../limits.js';
import { averagePositionDefinition, measureDefinition, percentageDefinition } from '../measures.js';
import { counted, type DefinitionGroup, judged } from './definition.js';

export const scores: DefinitionGroup = {
  id: 'scores',
  title: 'Scores and shares',
  definitions: [
    measureDefinition('visibility'),
    measureDefinition('presence_rate'),
    measureDefinition('share_of_voice_fraction'),
    percentageDefinition,
    measureDefinition('citation_share'),
    measureDefinition('sentiment_index'),
    averagePositionDefinition,
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
