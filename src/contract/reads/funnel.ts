/** What happened to a page from the crawl on. */
import type { Definition } from '../definition.js';
import { count, nullable, object } from '../schema.js';
import { referredVisits } from './referrals.js';

const notCovered = 'null: logs do not cover the window';

const requests = (name: string, what: string, formula: string, empty: string): Definition => ({
  name: `funnel.${name}`,
  what,
  formula,
  unit: 'requests',
  empty,
});

const ofAgents =
  'stored log lines with the path of the page, of the search and user-fetch agents of the engines that are asked about';

/** @param cited The description of its citations. */
export const funnel = object(
  {
    crawled: nullable(
      count(
        'Requests of agents that fetch for answers; null: not known',
        requests(
          'crawled',
          'How often crawlers that answers depend on came for the page.',
          ofAgents,
          notCovered,
        ),
      ),
    ),
    allowed: nullable(
      count(
        'Those of agents to which robots.txt does not close the page; null: robots.txt or the requests are not known',
        requests(
          'allowed',
          'How many of these requests robots.txt allows.',
          'those whose agent has another verdict than blocked about the page, by the robots.txt of today',
          `${notCovered}, or robots.txt could not be fetched`,
        ),
      ),
    ),
    served: nullable(
      count(
        'Those that the site answered with 2xx or 3xx; null: no log line states a status',
        requests(
          'served',
          'How many of these requests the site answered with the page.',
          'those with a status from 200 to 399',
          `${notCovered}, or no log line states a status`,
        ),
      ),
    ),
    cited: nullable(
      count('Citations in the window; null: not measured', {
        name: 'funnel.cited',
        what: 'How often answers cite the page.',
        formula: 'elements of the citation lists of answers; in the read of one page, answers that cite it',
        unit: 'citations',
        empty: 'null: no answer was collected; 0: not cited in the window',
      }),
    ),
    visited: nullable(count('Visits of people whom answers sent to it; null: not measured', referredVisits)),
  },
  'What happened to the page, step by step: each number is of its own source, and null where that was not measured',
);
