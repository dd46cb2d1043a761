import type { Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { SEARCH_ENGINES } from '../glossary.js';
import { CAPS } from '../limits.js';
import { measureDefinitions } from '../measures.js';
import { brand, customRange, engineFilter, presetDays } from '../params.js';
import { brandRef, defineRead, guidance, runCount, windowBounds, windowDays } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  score,
  text,
  zeroWhenUnmeasured,
} from '../schema.js';
import { measuredDays } from '../slice.js';

import { type Tone, tones } from './answers.js';

const toneCount = (tone: Tone): Definition => ({
  what: `How many answers mention the entity in a ${tone} tone.`,
  formula: 'a run counts once per entity, with the tone of its first scored mention by order',
  unit: 'runs',
  empty: '0; no measurement if run_count is 0',
});

const tone = {
  name: text('Entity name'),
  domain: text('Empty when a competitor has none'),
  is_brand: flag('The brand itself'),
  sentiment_index: nullable(
    score(
      '50 is neutral, rounded to 0.1; null: no scored mention, never neutral',
      measureDefinitions.sentiment_index,
    ),
  ),
  mentions: zeroWhenUnmeasured(
    count('Answers that name the entity', {
      what: 'How many answers mention the entity.',
      formula: 'runs that mention it; the sum of positive, neutral, negative and unscored',
      unit: 'runs',
      empty: '0; no measurement if run_count is 0',
    }),
  ),
  positive: zeroWhenUnmeasured(count('Of those, the ones with a positive tone', toneCount('positive'))),
  neutral: zeroWhenUnmeasured(count('With a neutral tone', toneCount('neutral'))),
  negative: zeroWhenUnmeasured(count('With a negative tone', toneCount('negative'))),
  unscored: zeroWhenUnmeasured(
    count('Without a tone: outside the index, never counted as neutral', {
      what: 'How many answers mention the entity without a tone; they are outside the index, and not neutral.',
      formula: 'runs without a scored mention of it',
      unit: 'runs',
      empty: '0; no measurement if run_count is 0',
    }),
  ),
};

export const entityTone = part('The tone of answers towards an entity', {
  ...tone,
  measured_since: nullable(
    text(
      'First day whose answers were searched for its names: counts are of the days from then on, and 0 before is not measured; null: all days',
    ),
  ),
});
export const engineTone = part('The tone towards the brand on one engine', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  run_count: count('Runs of the engine in the window, those that do not name the brand included', runCount),
  ...tone,
});

export const quote = part('A span of an answer that a tone was read from', {
  run_id: text('The answer; joins rows of answers', 'run'),
  date: text('Its day, YYYY-MM-DD'),
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  prompt_id: text('The prompt'),
  prompt: text('Its text'),
  entity: text('Whose tone: the tracked entity’s name, or the name as the answer wrote it'),
  is_brand: flag('The brand itself'),
  tracked: flag('false: a name used in answers that is not tracked'),
  sentiment: oneOf(tones, 'Tone'),
  quote: text('The span the tone was read from, verbatim'),
});

export const engineScopes = ['blended', 'engine_set'] as const;

export const sentiment = defineRead({
  path: 'sentiment',
  tool: 'get_sentiment',
  group: 'tone',
  mainRows: { at: ['quotes'] },
  summary: 'Tone per entity and engine, with the quotes it was read from',
  sdkNote: 'The quotes are in order, worst first.',
  guide: `In which tone do answers speak of the brand, and in which words? Up to ${CAPS.quotes} quotes, verbatim, worst first; per engine only for the brand. sentiment_index 50 is neutral, null: no mention was scored. unscored stay outside.`,
  needsRuns: false,
  params: {
    brand,
    days: presetDays(7, 'the newest collected day'),
    ...customRange,
    engine: engineFilter(SEARCH_ENGINES),
  },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    engines: nullable(list(oneOfOrNewer(engineIds, 'Engine id'), 'The engine filter; null: unfiltered')),
    engine_scope: oneOf(engineScopes, 'blended without a filter, else engine_set'),
    run_count: count('Runs in the window and scope; 0: nothing measured', runCount),
    entities: list(entityTone, 'The brand, then every tracked competitor by name'),
    by_engine: list(engineTone, 'The brand on each engine that ran, in the order of the engine table'),
    quotes: list(quote, `Negative, neutral, positive, each newest first; at most ${CAPS.quotes}`),
    quotes_total: count('Quotes in the window and scope, before the cap', {
      what: 'How many quotes there are before the cap of the list.',
      formula: 'scored mentions with the span that the tone was read from',
      unit: 'quotes',
      empty: '0; no measurement if run_count is 0',
    }),
    ...guidance,
    window: windowBounds('null: without from and to, and nothing was ever collected in scope'),
    measured: measuredDays,
  }),
});

export type Sentiment = Infer<typeof sentiment.response>;
export type EntityTone = Infer<typeof entityTone>;
export type Quote = Infer<typeof quote>;
