import { citingAnswers } from '../citations.js';
import type { Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { metricChange } from '../intervals.js';
import { SEARCHED_ANSWERS } from '../limits.js';
import { brand, type Param } from '../params.js';
import { brandRef, caveats, defineRead, runCount } from '../read.js';
import {
  count,
  flag,
  fraction,
  type Infer,
  list,
  nullable,
  object,
  oneOfOrNewer,
  pair,
  part,
  text,
} from '../schema.js';
import { sliced, sliceParams } from '../slice.js';
import { crawlers } from './crawlers.js';
import { funnel } from './funnel.js';
import { citedUrl } from './urls.js';

const address = {
  kind: 'text',
  required: true,
  wanted: 'the address of a page, with https://',
  description: 'Address of a page with https://, in any spelling of it',
  brief: 'With https://',
} as const satisfies Param;

const NEWEST = `the newest ${SEARCHED_ANSWERS.toLocaleString('en')} answers`;

const citedShare: Definition = {
  name: 'url.share',
  what: 'How often answers cite the page.',
  formula: 'answers / run_count, of the same row',
  denominator: 'run_count',
  unit: 'fraction_0_1',
  rounding: '0.001',
  empty: 'null: no answer; 0: no answer cites it',
};
const share = (description: string) => nullable(fraction(description, citedShare));

const rowInterval = nullable(
  pair(
    fraction('Rounded to 0.001', {
      name: 'url.rows.interval',
      what: 'The range that covers the share of a prompt or an engine, if answers were independent.',
      formula: 'Wilson’s interval (1927) with n = run_count',
      unit: 'fraction_0_1',
      rounding: '0.001',
      empty: 'null: no answer',
    }),
    '95 % interval of share; null: no answer',
  ),
);

const citing = {
  answers: count('Answers that cite it', citingAnswers),
  run_count: count('Answers, whatever they cite', runCount),
  share: share('answers / run_count; null: no answer'),
  interval: rowInterval,
};

export const citingPrompt = part('A prompt with answers that cite the page', {
  prompt_id: text('Prompt id'),
  prompt: text('Text of the prompt'),
  ...citing,
});

export const citingEngine = part('An engine whose answers cite the page', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  ...citing,
});

export const nameBeside = part('A tracked name in answers that cite the page', {
  id: text('Id of the brand or competitor'),
  name: text('Its name'),
  is_brand: flag('It is the brand'),
  answers: count('Answers that cite the page and name it', {
    name: 'url.names.answers',
    what: 'How many answers cite the page and name the brand or a competitor.',
    formula: 'distinct answers with a citation of the page and a mention of the name',
    unit: 'answers',
    empty: 'never null: 0 is stated of the brand alone, others are listed from 1 on',
  }),
});

export const url = defineRead({
  path: 'url',
  tool: 'get_url',
  group: 'citations',
  mainRows: { at: ['prompts'] },
  summary: 'One cited page: prompts and engines that cite it, and whom their answers name',
  guide: `Who cites a page, and whom do these answers name? prompts, engines and names are of ${NEWEST}. share is of run_count; fetches null: not measured.`,
  needsRuns: true,
  params: { brand, url: address, ...sliceParams },
  response: object({
    brand: brandRef,
    page: object(
      {
        url: text('The address as citations are compared'),
        domain: citedUrl.fields.domain,
        title: nullable(text('Newest title that an engine with web search reported; null: none did')),
        page_type: citedUrl.fields.page_type,
        classification: citedUrl.fields.classification,
        overridden: citedUrl.fields.overridden,
        first_cited: nullable(
          text(
            'First day on which an answer of an engine with web search cites it, whatever the window and the slice; null: none does',
          ),
        ),
      },
      'The page',
    ),
    run_count: count('Answers of the window, whatever they cite', runCount),
    answers: nullable(count('Answers that cite it; null: not measured', citingAnswers)),
    share: share('answers / run_count; null: not measured'),
    interval: nullable(
      pair(
        fraction('Rounded to 0.001', {
          name: 'url.interval',
          what: 'The range that covers the share in windows like this one.',
          formula:
            'as that of presence_rate, of the answers that cite the page instead of those that name the brand',
          unit: 'fraction_0_1',
          rounding: '0.001',
          empty: 'null: not measured, or on too few days',
        }),
        '95 % interval of share; null: not measured, or on too few days',
      ),
    ),
    change: { ...metricChange, description: 'Of share, against the window of equal length just before' },
    prompts: list(citingPrompt, `In ${NEWEST}, by answers descending, then by id`),
    engines: list(citingEngine, `In ${NEWEST}, by answers descending, then in contract order`),
    names: list(nameBeside, `The brand, then competitors by answers descending, in ${NEWEST}`),
    fetches: nullable(
      object(
        {
          requests: count('Requests of AI crawlers for its path in the window', {
            name: 'url.requests',
            what: 'How often AI crawlers fetched the page.',
            formula: 'stored log lines with the path of the page in the window',
            unit: 'requests',
            empty: '0: logs cover the window, and no crawler came for it',
          }),
          last_fetched: nullable(text('The newest of them, ISO 8601; null: none')),
        },
        `What crawlers did; null: not measured, because it is on another site, because logs do not cover the window, or because the plan is below ${crawlers.plan}`,
      ),
    ),
    funnel: nullable({
      ...funnel,
      description: `${funnel.description}; null: it is on another site, or the plan is below ${crawlers.plan}`,
    }),
    ...sliced,
    ...caveats,
  }),
});

export type CitedPage = Infer<typeof url.response>;
export type CitingPrompt = Infer<typeof citingPrompt>;
export type CitingEngine = Infer<typeof citingEngine>;
export type NameBeside = Infer<typeof nameBeside>;
