import type { Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { CAPS, TOOL_CAPS } from '../limits.js';
import { measureDefinitions } from '../measures.js';
import { brand, type Param } from '../params.js';
import { brandRef, caveats, defineRead, runCount } from '../read.js';
import {
  count,
  fraction,
  headed,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  score,
  text,
  variant,
} from '../schema.js';
import { sliced, sliceParams } from '../slice.js';
import { crawlers } from './crawlers.js';
import { funnel } from './funnel.js';

/** Kinds of gaps, in the order of documents. */
export const gapKinds = ['sources', 'lost_pages', 'within_reach', 'absent', 'crawl'] as const;
export type GapKind = (typeof gapKinds)[number];

/** A page is lost, and a page that is never cited is listed, from so many days on. */
export const LEAST_DAYS = 3;
/** The ranks of the brand from which the first one is within reach. */
export const REACH = { from: 2, to: 4 } as const;
/** Domains that a row of absent lists. */
export const CITED_DOMAINS = 5;
/** Days of the window of crawl, because crawlers come less often than answers are collected. */
export const CRAWL_DAYS = 28;
/** The statuses by which a site refuses a request, besides 5xx. */
export const REFUSALS = [401, 403, 429] as const;

const noRow = 'never null: only rows with such an answer are listed';

/** The answers that count for a row: distinct answers of the window and the slice. */
const answersThat = (which: string, name: string): Definition => ({
  name,
  what: `How many answers ${which}.`,
  formula: `distinct answers of the window and the slice that ${which}`,
  unit: 'answers',
  empty: noRow,
});

const rivalAnswers = answersThat('name the rival, among those of the row', 'rivals.answers');

export const rivalShare = part('A rival, and the answers of the row that name it', {
  id: text('Competitor id'),
  answers: count('Answers of the row that name it', rivalAnswers),
  name: text('Its name'),
});

export const sourceGap = part('A domain to win: answers that name a rival and not the brand cite it', {
  domain: text('Cited domain; neither the brand’s nor a rival’s'),
  answers: count(
    'Answers that cite it and name a rival and not the brand',
    answersThat('cite the domain, name at least one competitor and do not name the brand', 'sources.answers'),
  ),
  own_answers: count('Answers that cite it and name the brand', {
    ...answersThat('cite the domain and name the brand', 'own_answers'),
    head: 'with brand',
    empty: '0: none',
  }),
  prompts: count('Prompts with such an answer', {
    name: 'sources.prompts',
    head: 'prompts',
    what: 'How many prompts have answers that cite the domain and name a rival instead of you.',
    formula: 'distinct prompts of the answers',
    unit: 'prompts',
    empty: noRow,
  }),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines with such an answer, in contract order'),
  rivals: headed(
    'rivals (answers)',
    list(rivalShare, 'Rivals that these answers name, by answers descending, then by id'),
  ),
  days: count('Days with such an answer', {
    what: 'On how many days an answer cites the domain and names a rival instead of you.',
    formula: 'UTC days with such an answer',
    unit: 'days',
    empty: noRow,
  }),
  stability: fraction('days of the days with answers, unrounded', {
    what: 'How steadily the domain is cited where a rival is named instead of you.',
    formula: 'days / days of the window with an answer of the slice',
    denominator: 'days with an answer',
    unit: 'fraction_0_1',
    empty: noRow,
  }),
  score: number('answers × stability, unrounded: the order of the rows', {
    what: 'What it is worth to be on the domain: how many answers cite it and name a rival instead of you, and how steadily.',
    formula: 'answers × stability',
    unit: 'answers',
    scale: '0 and up',
    empty: noRow,
  }),
});

export const lostPage = part('A page of the brand that answers cited before, and cite no more', {
  url: text('Canonical URL'),
  title: nullable(text('Page title; null: no engine reported one')),
  citations_before: count('Citations in the window of equal length before', {
    what: 'How often answers cited the lost page in the window before.',
    formula: 'elements of the citation lists of answers of the window of equal length just before',
    unit: 'citations',
    empty: noRow,
  }),
  days_before: count(`Days of that window with a citation, at least ${LEAST_DAYS}`, {
    what: 'On how many days answers cited the lost page in the window before.',
    formula: `UTC days with a citation; a page with fewer than ${LEAST_DAYS} is not listed`,
    unit: 'days',
    empty: noRow,
  }),
  p_value: fraction('How likely no citation is if its share had stayed, unrounded', {
    what: 'How likely chance alone explains that nothing cites the page any more.',
    formula:
      '(1 − citations_before / all citations of the window before) ^ all citations of the window: as if each citation were drawn by the page’s former share',
    denominator: 'all citations of the window before',
    unit: 'probability',
    empty: noRow,
  }),
});

const promptFields = {
  prompt_id: text('Prompt id'),
  prompt: text('Prompt text'),
  runs: count('Answers to the prompt', runCount),
};

const leaderAnswers = (which: string, name: string, description: string) =>
  object({
    id: text('Competitor id'),
    name: text('Its name'),
    answers: count(description, answersThat(which, name)),
  });

export const promptWithinReach = part(
  `An active prompt whose text does not name the brand, with answers that name it ${REACH.from}nd to ${REACH.to}th`,
  {
    ...promptFields,
    present_runs: headed(
      'with brand',
      count('Answers that name the brand', answersThat('name the brand', 'present_runs')),
    ),
    answers: headed(
      '2nd to 4th',
      count(
        'Answers that name the brand 2nd, 3rd or 4th',
        answersThat(
          `name the brand with a rank of ${REACH.from} to ${REACH.to}; the rank is the least order among its names in the answer`,
          'within_reach.answers',
        ),
      ),
    ),
    ahead: nullable({
      ...leaderAnswers(
        'name the rival first and the brand 2nd to 4th',
        'ahead.answers',
        'Of these answers, those in which it is first',
      ),
      head: 'led by (answers)',
      description: 'The rival that is first in most of these answers, ties by name; null: none is',
    }),
    visibility: score('Rank-discounted presence on the prompt, 0 to 100, unrounded', {
      name: 'within_reach.visibility',
      what: 'How often and how early answers to the prompt name you.',
      formula: measureDefinitions.visibility.formula,
      denominator: 'runs',
      unit: 'score_0_100',
      empty: noRow,
    }),
    visibility_if_first: score('The same, as if the brand were first in these answers, unrounded', {
      head: 'if first',
      what: 'What visibility on the prompt would be if answers that name you 2nd to 4th named you first.',
      formula: '100 / runs × Σ 1 / log2(1 + order), with order 1 in these answers',
      denominator: 'runs',
      unit: 'score_0_100',
      empty: noRow,
    }),
    gain: number('visibility_if_first − visibility, unrounded', {
      what: 'The points of visibility that being first would add on the prompt.',
      formula: 'visibility_if_first − visibility',
      unit: 'points',
      scale: '0 to 100',
      empty: noRow,
    }),
    brand_gain: number(
      'What this adds to the visibility of the brand in the window and the slice, unrounded: the order of the rows',
      {
        what: 'The points that being first on the prompt would add to the visibility of the brand.',
        formula: 'gain × runs / all answers of the window and the slice',
        denominator: 'all answers of the window and the slice',
        unit: 'points',
        scale: '0 to 100',
        empty: noRow,
      },
    ),
  },
);

export const citedInstead = part('A domain that answers naming a rival cite', {
  domain: text('Cited domain'),
  answers: count(
    'Answers that name a rival and cite it',
    answersThat('name a rival and cite the domain', 'cited.answers'),
  ),
});

export const absentPrompt = part('An active prompt whose answers name rivals and never the brand', {
  ...promptFields,
  winner: {
    ...leaderAnswers('name the rival most of all', 'winner.answers', 'Answers that name it'),
    head: 'winner (answers)',
    description: 'The rival in most of its answers, ties by name',
  },
  cited: headed(
    'cited there (answers)',
    list(citedInstead, `The ${CITED_DOMAINS} domains that most answers naming a rival cite, ties by domain`),
  ),
});

export const crawlFaults = ['refused', 'closed', 'never_fetched', 'never_cited'] as const;
export type CrawlFault = (typeof crawlFaults)[number];

const noLogs = 'null: no log was ever received';

export const crawlGap = part('A page of the brand and what keeps it from being fetched or cited', {
  url: text('The page; one that no answer cites has the domain of the brand and the path of the logs'),
  fault: oneOf(
    crawlFaults,
    'refused: the site refuses the agent; closed: robots.txt disallows the page; never_fetched: cited, and no request in the logs; never_cited: fetched, and not cited',
    {
      what: 'What keeps the page from being fetched or cited.',
      formula: [
        `refused: an agent of an engine that cites the page got ${REFUSALS.join(', ')} or 5xx for at least half of its requests`,
        'closed: a rule of robots.txt keeps such an agent off the page',
        'never_fetched: answers cite it, and no agent of any engine requested its path',
        `never_cited: agents fetched its path on ${LEAST_DAYS} days or more with a status below 400, and no answer cites it; assets, robots.txt and sitemaps are no pages`,
        'the last two only where logs cover the window',
      ].join('; '),
      empty: 'no row: no fault was measured',
    },
  ),
  citations: count('Citations in the window', {
    name: 'crawl.citations',
    what: 'How often answers cite the page that has a fault.',
    formula: 'elements of the citation lists of answers',
    unit: 'citations',
    empty: '0: not cited in the window',
  }),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it, in contract order'),
  agent: nullable(text('Key of the agent that the row is about; null: no agent requested the page')),
  requests: nullable(
    count('Its requests for the path in the window; null: no log was ever received', {
      what: 'How often the agent requested the page.',
      formula: 'stored log lines of the agent with the path of the page',
      unit: 'requests',
      empty: `${noLogs}; 0: it did not come`,
    }),
  ),
  refused: nullable(
    count('Of these, those that the site refused; null: no log was ever received', {
      what: 'How often the site refused the page to the agent.',
      formula: `requests of the agent for the path with the status ${REFUSALS.join(', ')} or 5xx`,
      unit: 'requests',
      empty: `${noLogs}; 0: none was refused`,
    }),
  ),
  robots: nullable(
    object(
      {
        verdict: oneOf(
          ['allowed', 'blocked', 'unaddressed'],
          'About the page; unaddressed: no group names the agent and no rule for all decides',
        ),
        rule: nullable(text('The deciding line with its group, as written; null: no rule decided')),
      },
      'What robots.txt says to the agent about the page; null: no agent, or robots.txt could not be fetched',
    ),
  ),
  funnel,
});

const kind = {
  kind: 'choice',
  values: gapKinds,
  default: 'sources',
  description:
    'sources: domains to win; lost_pages: own pages that are cited no more; within_reach: prompts without the name of the brand where it is named 2nd to 4th; absent: prompts where only rivals are named; crawl: own pages that crawlers cannot fetch, or that are fetched and not cited (default sources)',
  brief: 'Default: sources',
} as const satisfies Param;

export const gaps = defineRead({
  path: 'gaps',
  tool: 'list_gaps',
  group: 'gaps',
  mainRows: { at: ['gaps'] },
  summary: 'What to do: domains to win, lost pages, prompts within reach or lost, pages that crawlers miss',
  guide: `What should we do next? One kind a call, the ${TOOL_CAPS.gaps} most valuable first: sources, domains to win; lost_pages, own ones that are cited no more; within_reach, prompts that name the brand 2nd to 4th; absent, prompts that name only rivals; crawl, own pages that crawlers cannot fetch, or answers do not cite: ${CRAWL_DAYS} days, Growth plan or above.`,
  toolCap: TOOL_CAPS.gaps,
  needsRuns: true,
  planOf: {
    param: 'kind',
    value: 'crawl',
    plan: crawlers.plan,
    planSubject: crawlers.planSubject,
  },
  params: { brand, kind, ...sliceParams },
  response: object({
    brand: brandRef,
    kind: oneOf(gapKinds, 'The kind of the rows'),
    gaps: list(
      variant('kind', {
        sources: sourceGap,
        lost_pages: lostPage,
        within_reach: promptWithinReach,
        absent: absentPrompt,
        crawl: crawlGap,
      }),
      `The ${CAPS.gaps} most valuable: sources by score, then domain; lost_pages by citations_before, then url; within_reach by brand_gain, then prompt_id; absent by runs, then prompt_id; crawl by citations, requests, then url`,
    ),
    ...sliced,
    ...caveats,
  }),
});

export type SourceGap = Infer<typeof sourceGap>;
export type LostPage = Infer<typeof lostPage>;
export type PromptWithinReach = Infer<typeof promptWithinReach>;
export type AbsentPrompt = Infer<typeof absentPrompt>;
export type CrawlGap = Infer<typeof crawlGap>;
export type Gaps = Infer<typeof gaps.response>;
