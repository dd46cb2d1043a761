import { brandPresence } from '../citations.js';
import { engineIds } from '../engines.js';
import { CAPS, SEARCHED_ANSWERS, TOOL_CAPS } from '../limits.js';
import { brand, type Params, paging } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import {
  count,
  flag,
  headed,
  type Infer,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { allOrEngines, sliced, sliceParams } from '../slice.js';
import { allEngines } from '../wording.js';

/** The most code points of an excerpt. */
export const EXCERPT_LENGTH = 240;

/** Tones of a scored mention, worst first. */
export const tones = ['negative', 'neutral', 'positive'] as const;
export type Tone = (typeof tones)[number];

export const mention = part('A name in an answer', {
  name: text('The name as the answer wrote it'),
  order: count('1-based rank among all names in the answer', {
    group: 'scores',
    head: 'rank',
    what: 'The rank of a name in one answer.',
    formula: 'from 1, in the order of the answer',
    unit: 'rank',
    empty: 'never null',
  }),
  sentiment: nullable(oneOf(tones, 'Tone; null: unscored')),
  evidence: nullable(text('The span the tone was read from, verbatim; null when unscored', 'quote')),
  entity: nullable(text('Id of the brand or competitor; null: the name is not tracked')),
});

export const citation = part('A page that an answer cites', {
  domain: text('Cited domain'),
  url: text('Canonical cited URL'),
});

export const answer = part('One collected answer', {
  id: text('Run id'),
  date: text('UTC collection day, YYYY-MM-DD'),
  region: text('Region code'),
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  model: text('Model version; empty when unknown'),
  prompt_id: text('The prompt'),
  brand_present: flag('The brand is mentioned in this run', brandPresence),
  mentions: headed('mentions, by rank', list(mention, 'By order')),
  citations: list(citation, 'In captured order'),
  excerpt: nullable(
    text(
      `Up to ${EXCERPT_LENGTH} characters of the text around the first mention of the brand, else of the first name, else from the beginning; null: the text was not collected`,
    ),
  ),
});

/** What chosen answers say and cite, besides where they come from. */
export const answerFilters = {
  cites: {
    kind: 'text',
    description:
      'A domain, with what is below it (=reddit.com: without), or the address of a page with https://, in any spelling of it; only answers that cite it',
    brief: 'Domain or page URL',
  },
  names: {
    kind: 'values',
    description:
      'Id of the brand or of a competitor, or several separated by commas; only answers that name one of them',
    brief: 'Any of these brand or competitor ids',
  },
  without: {
    kind: 'values',
    description:
      'Id of the brand or of a competitor, or several separated by commas; only answers that name none of them',
    brief: 'None of these ids',
  },
  tone: {
    kind: 'choice',
    values: tones,
    description:
      'Tone of the first scored mention of the brand, by which sentiment counts an answer; only answers with this tone',
    brief: 'Of the brand',
  },
} as const satisfies Params;

/** The filters whose values are ids of the brand and of competitors. */
export type EntityFilter = 'names' | 'without';

const entityIds = (which: string) =>
  nullable(list(text('Id of the brand or of a competitor'), `${which}, each once; null: not given`));

export const answers = defineRead({
  path: 'answers',
  tool: 'list_answers',
  summary: `The collected answers with their mentions and citations, ${allEngines}`,
  guide: `What did engines answer? The newest ${TOOL_CAPS.answers}: no sample for rates, and an engine that is missing was not necessarily idle. order is a 1-based rank; sentiment null is unscored, not neutral; an empty model is unknown. get_answer has the text.`,
  toolCap: TOOL_CAPS.answers,
  needsRuns: true,
  params: { brand, ...paging, ...sliceParams, engine: allOrEngines, ...answerFilters },
  rows: 'answers',
  response: object({
    brand: brandRef,
    answers: list(answer, `Newest first, at most ${CAPS.answers} unpaged`),
    ...sliced,
    ...caveats,
    filter: nullable(
      object(
        {
          cites: nullable(
            text('The domain (after =: alone) or the page, as citations are compared; null: not given'),
          ),
          names: entityIds('Of which each answer names one'),
          without: entityIds('Of which no answer names any'),
          tone: nullable(oneOf(tones, 'Tone; null: not given')),
        },
        `What the answers were chosen by, besides the slice; null: by nothing. A page searches ${SEARCHED_ANSWERS.toLocaleString('en')} answers at most: with a next_cursor it may hold fewer rows than limit, or none`,
      ),
    ),
    total: nullable(
      count(
        `Answers of all pages; null: not counted, as a choice that needs more than ${SEARCHED_ANSWERS.toLocaleString('en')} answers to be searched`,
        {
          group: 'sample',
          name: 'answers.total',
          what: 'How many answers fit the window, the slice and the filters.',
          formula: 'stored answers that the list has on all of its pages',
          unit: 'answers',
          empty: '0: no answer fits; null: not counted',
        },
      ),
    ),
  }),
});

export type Mention = Infer<typeof mention>;
export type Answer = Infer<typeof answer>;
export type AnswersBody = Infer<typeof answers.response>;
export type AnswerFilter = NonNullable<AnswersBody['filter']>;
