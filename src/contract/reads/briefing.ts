import { collectionFault } from '../collection.js';
import { AS_METRIC, type Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { measureNames } from '../measures.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import {
  count,
  type Infer,
  list,
  type NullableSchema,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { measuredDays, slice, sliceParams, windowOr } from '../slice.js';
import { gapKinds } from './gaps.js';
import { move } from './moves.js';
import { overview } from './overview.js';

/** What is urgent comes first, in this order; what is about answers by their number; the rest in this order. */
export const urgentKinds = ['collection_failed', 'collection_stalled', 'bad_news', 'wrong_fact'] as const;
export const needKinds = [
  ...urgentKinds,
  'metric_fell',
  'path_closed',
  'crawlers_refused',
  'engine_never_names',
  'never_named_prompts',
  'within_reach',
  'source_to_win',
  'bad_tone',
  'pages_lost',
  'pages_refused',
  'logs_silent',
  'facts_stale',
] as const;
export type NeedKind = (typeof needKinds)[number];

/** The rows of `moves` that a briefing repeats. */
export const BRIEFED_MOVES = 10;

const counted = (name: string, what: string, formula: string, unit = 'that of the kind'): Definition => ({
  name: `needs.${name}`,
  what,
  formula,
  unit,
  empty: 'null: the need is not about it',
});

const fallen = (name: string, what: string, formula: string): Definition => ({
  name: `needs.metrics.${name}`,
  what,
  formula,
  unit: AS_METRIC,
  scale: AS_METRIC,
  rounding: AS_METRIC,
  empty: 'never null: only metrics that fell are listed',
});

const fallenMetric = part('A metric that fell by more than chance explains', {
  metric: oneOf(measureNames, 'Metric'),
  value: number('In the window', fallen('value', 'The metric that fell, in the window.', 'as in overview')),
  previous: number(
    'In the days before',
    fallen('previous', 'The metric that fell, in the days before.', 'change.previous of overview'),
  ),
  difference: number(
    'value − previous',
    fallen('difference', 'By how much the metric fell.', 'change.difference of overview'),
  ),
});

/** Null: not a fact of the kind. */
const ofKind = <S extends { readonly description: string }>(of: S): NullableSchema<S> =>
  nullable({ ...of, description: `${of.description}; null: not of this kind` });

export const needFacts = part('What a need is about', {
  metrics: ofKind(list(fallenMetric, 'The metrics that fell')),
  engine: ofKind(oneOfOrNewer(engineIds, 'Engine id')),
  subject: ofKind(text('Domain, page or path; of bad_news the id of the move')),
  crawlers: ofKind(
    list(text('Crawler'), 'The crawlers that the path is closed to, or that the site refuses'),
  ),
  count: ofKind(
    count(
      'How many: answers, prompts, pages or moves; of facts_stale days',
      counted(
        'count',
        'How many answers, prompts, pages or moves need you.',
        'answers of engine_never_names, source_to_win and bad_tone; prompts of never_named_prompts and within_reach; pages of pages_lost, pages_refused and path_closed; moves of bad_news; days of facts_stale',
      ),
    ),
  ),
  of: ofKind(
    count(
      'Of how many: answers or prompts',
      counted(
        'of',
        'Of how many answers or prompts it is.',
        'answers of the engine; measured prompts; answers that name you in bad_tone; requests for the page in pages_refused; requests of the crawlers in crawlers_refused, without those known to be of others; citations of the page before in pages_lost',
      ),
    ),
  ),
  refused: ofKind(
    count(
      'Requests that the site refused: for the page, or of the crawlers',
      counted(
        'refused',
        'How often the site refused the page, or the crawlers.',
        'refused of gaps; in crawlers_refused refused, payment_required, throttled and failed of outcomes, without as many as are known to be of others',
        'requests',
      ),
    ),
  ),
  gain: ofKind(
    number('Points of visibility that the first prompt is worth', {
      ...counted(
        'gain',
        'The points of visibility that the first prompt within reach is worth.',
        'brand_gain of gaps',
        'points',
      ),
      scale: '0 to 100',
    }),
  ),
  since: ofKind(text('The day of the last answer, log or check, or of the move, YYYY-MM-DD')),
  said: ofKind(text('The claim of an answer, or the sentence of a move')),
  truth: ofKind(text('What the knowledge base says')),
  reason: ofKind(text('Why the collection fails; of a move its drivers')),
  fault: collectionFault,
});

const given = (what: string) => nullable(text(`${what}; null: leave it out`));

export const need = part('Something that needs a person', {
  kind: oneOfOrNewer(needKinds, 'What it is'),
  worth: nullable(
    count('Answers that it is about, of pages citations; null: not about answers, or not known', {
      name: 'needs.worth',
      what: 'How many answers of the window the need is about; of your pages, how many citations.',
      formula:
        'all answers of metric_fell; answers of the engines that feed on a closed site; answers of the engine, the prompts, the domain or the tone; citations of the pages',
      unit: 'answers',
      empty: 'null: it is not about answers, or their number is not known',
    }),
  ),
  text: text('The finding, in a sentence without a full stop'),
  advice: text('What to look at, or what to ask for'),
  facts: object(needFacts.fields, 'Its facts'),
  lead: object(
    {
      read: text('The read that lists what it is about, by its path'),
      params: object(
        {
          from: given('First day'),
          to: given('Last day'),
          kind: nullable(oneOf(gapKinds, 'Kind of gaps; null: leave it out')),
          metric: nullable(oneOf(measureNames, 'Metric; null: leave it out')),
          tone: given('Tone'),
          engine: given('Engine ids'),
          prompt: given('Prompt ids'),
          topic: given('Topic ids'),
          tag: given('Tags'),
          region: given('Region codes'),
          surface: given('Surfaces'),
        },
        'Its parameters besides brand',
      ),
    },
    'Where to look',
  ),
  id: text('The same as long as it is about the same: its kind, and behind a colon what it is about'),
});

/** Why a need is set aside: it is nothing for the brand, or somebody did what it asks for. */
export const asideReasons = ['not_us', 'done'] as const;
export type AsideReason = (typeof asideReasons)[number];

export const asideNeed = part(
  'A need that is set aside for everybody of the workspace, until its facts change',
  {
    need: object(need.fields, 'The need, as it is now'),
    reason: oneOf(asideReasons, 'not_us: it is nothing for the brand; done: what it asks for was done'),
    since: text('The day on which it was set aside (UTC), YYYY-MM-DD'),
  },
);

export const briefing = defineRead({
  path: 'briefing',
  tool: 'get_briefing',
  group: 'needs',
  mainRows: { at: ['needs'] },
  summary: 'How the brand is, what moved, and what needs you, in one answer',
  sdkNote:
    'Without days it is of the longest of 56, 28, 14 and 7 days in which it is known whether presence moved.',
  guide:
    'How are we, what moved, what needs us? Start here: a sentence, every need, the most urgent first, with its facts and its read, the last moves, the scorecard. Without days the longest of 56, 28, 14 and 7 whose verdict is known.',
  needsRuns: true,
  params: {
    brand,
    ...sliceParams,
  },
  response: object({
    brand: brandRef,
    sentence: text('Whether answers name the brand, its place, and whether that moved'),
    place: nullable(
      object(
        {
          rank: count('1: first', {
            name: 'place.rank',
            what: 'Your place among the tracked brands, by share of voice.',
            formula: '1 + brands with a larger share_of_voice_fraction, as rounded',
            unit: 'rank',
            scale: '1 best',
            empty: 'never null',
          }),
          of: count('Brands', {
            name: 'place.of',
            what: 'How many brands are compared: you and your competitors.',
            formula: 'rows of competitors',
            unit: 'brands',
            empty: 'never null',
          }),
        },
        'The place of the brand by share of voice; null: nothing was measured, or there is no competitor',
      ),
    ),
    needs: list(need, 'What is urgent, then those of the most answers or citations, then the others'),
    moves: list(move, `The first ${BRIEFED_MOVES} of moves; empty under a filter, which moves have not`),
    overview: object(overview.response.fields, 'The body of overview over the same days'),
    newest_day: nullable(
      text('The newest collected day of the last weeks, whatever the filters; null: there is none'),
    ),
    window: windowOr('the longest of 56, 28, 14 and 7 days whose verdict is known'),
    slice: nullable(slice),
    measured: measuredDays,
    ...caveats,
    aside: list(asideNeed, 'What would be among needs, and is set aside'),
  }),
});

export type Briefing = Infer<typeof briefing.response>;
export type Need = Infer<typeof need>;
export type AsideNeed = Infer<typeof asideNeed>;
export type NeedFacts = Infer<typeof needFacts>;
