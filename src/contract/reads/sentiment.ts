import { engineIds } from '../engines.js';
import { SEARCH_ENGINES } from '../glossary.js';
import { CAPS } from '../limits.js';
import { brand, customRange, engineFilter, presetDays } from '../params.js';
import { brandRef, defineRead, windowBounds } from '../read.js';
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
import { daysWording, rangeLimit } from '../wording.js';
import { tones } from './answers.js';

const tone = {
  name: text('Entity name'),
  domain: text('Empty when a competitor has none'),
  is_brand: flag('The brand itself'),
  sentiment_index: nullable(score('50 is neutral, rounded to 0.1; null: no scored mention, never neutral')),
  mentions: zeroWhenUnmeasured(count('Answers that name the entity')),
  positive: zeroWhenUnmeasured(count('Of those, the ones with a positive tone')),
  neutral: zeroWhenUnmeasured(count('With a neutral tone')),
  negative: zeroWhenUnmeasured(count('With a negative tone')),
  unscored: zeroWhenUnmeasured(count('Without a tone: outside the index, never counted as neutral')),
};

export const entityTone = part('The tone of answers towards an entity', tone);
export const engineTone = part('The tone towards the brand on one engine', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  ...tone,
});

export const quote = part('A span of an answer that a tone was read from', {
  run_id: text('The answer; joins rows of answers'),
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
  mainRows: { at: ['quotes'] },
  summary: 'Tone per entity and engine, with the quotes it was read from',
  guide: `Per engine only for the brand. Up to ${CAPS.quotes} quotes, verbatim, worst first (negative, neutral, positive). Window: ${daysWording(7)}, ending on the newest collected day), or from and to, ${rangeLimit}. engine: omit for the blended search-grounded engines; ids scope to exactly those, knowledge engines included. sentiment_index is 0 to 100 with 50 neutral; null means that no mention was scored, never neutral. unscored counts stay outside the index. quotes_total counts before the cap.`,
  needsRuns: false,
  params: {
    brand,
    days: presetDays(7, 'the newest collected day'),
    ...customRange,
    engine: engineFilter(SEARCH_ENGINES),
  },
  response: object({
    brand: brandRef,
    window_days: count('Days of the window'),
    engines: nullable(list(oneOfOrNewer(engineIds, 'Engine id'), 'The engine filter; null: unfiltered')),
    engine_scope: oneOf(engineScopes, 'blended without a filter, else engine_set'),
    run_count: count('Runs in the window and scope; 0: nothing measured'),
    entities: list(entityTone, 'The brand, then every tracked competitor by name'),
    by_engine: list(engineTone, 'The brand on each engine that ran, in the order of the engine table'),
    quotes: list(quote, `Negative, neutral, positive, each newest first; at most ${CAPS.quotes}`),
    quotes_total: count('Quotes in the window and scope, before the cap'),
    note: text('How to read the numbers'),
    window: windowBounds('null: without from and to, and nothing was ever collected in scope'),
    measured: measuredDays,
  }),
});

export type Sentiment = Infer<typeof sentiment.response>;
export type EntityTone = Infer<typeof entityTone>;
export type Quote = Infer<typeof quote>;
