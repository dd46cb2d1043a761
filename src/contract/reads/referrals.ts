import { CITATIONS } from '../citations.js';
import type { Definition } from '../definition.js';
import { TOO_FEW_DAYS } from '../enough-days.js';
import { CAPS, TOOL_CAPS, VISITOR_DAYS } from '../limits.js';
import { verdicts } from '../measures.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, totalRows } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  pair,
  part,
  text,
} from '../schema.js';
import { measuredWindow, windowRange } from '../slice.js';
import { crawlers } from './crawlers.js';

const notMeasured = 'null: no log of the window states where people came from; 0: nobody came';

/** Citations in every answer of an engine with web search, whatever product sent the visitors. */
const citations: Definition = {
  name: 'referrals.citations',
  what: 'How often answers cite the page that people visited.',
  formula: `${CITATIONS}; of engines with web search, of every spelling of the page with its path`,
  unit: 'citations',
  empty: 'null: no answer was collected in the window; 0: not cited in it',
};

export const referredVisits: Definition = {
  name: 'referrals.visits',
  what: 'How many people came to the page from an answer, each once a day.',
  formula: `distinct (UTC day, product, path, visitor) of page views; a visitor is a hash of address and user agent with a salt of the day (as Plausible Analytics counts), which is destroyed after ${VISITOR_DAYS} days`,
  unit: 'visits',
  empty: `${notMeasured}; also null where visitors of no page view can be told apart`,
};

const pageviews: Definition = {
  what: 'How often people opened the page from an answer.',
  formula:
    'log lines of GET with a status of 2xx, 304 or none, of a page, by no known agent, whose Referer or utm_source is of a host of the product',
  unit: 'page views',
  empty: notMeasured,
};

const interval = nullable(
  pair(
    number('Rounded to 0.1', {
      name: 'referrals.interval',
      what: 'The range that covers the visits of windows like this one.',
      formula:
        'Garwood’s exact interval (1936) of a Poisson count, of visits / φ, times φ; φ = max(1, Σ (x − x̄)² / x̄ / (G − 1)) of the visits x of G finished days: how much more they vary than a Poisson count (P. McCullagh, J. A. Nelder, Generalized Linear Models, 1989)',
      unit: 'visits',
      scale: '0 and up',
      rounding: '0.1',
      empty: `null: not measured, or on ${TOO_FEW_DAYS}`,
    }),
    `95 % interval of visits; null: not measured, or on ${TOO_FEW_DAYS}`,
  ),
);

const perDay = (name: string, which: string) =>
  nullable(
    number(`Visits a day in ${which}, rounded to 0.1; null: not measured`, {
      name,
      what: `How many visits a day answers sent in ${which}.`,
      formula: 'visits of measured days before today / measured days before today',
      denominator: 'measured days before today',
      unit: 'visits a day',
      scale: '0 and up',
      rounding: '0.1',
      empty: 'null: no finished day was measured',
    }),
  );

const change = object(
  {
    per_day: perDay('referrals.per_day', 'the window'),
    previous_per_day: perDay('referrals.previous_per_day', 'the window of equal length before'),
    verdict: oneOf(
      verdicts,
      'up or down: by more than chance explains; no_clear_change: it may be chance; unknown: too few finished days',
      {
        name: 'referrals.verdict',
        what: 'Whether answers send more or fewer people a day than before.',
        formula:
          'up or down: |z| > √φ · t(ν) at 95 %; z = 2 (√(a + 3/8) − √(d (b + 3/8))) / √(1 + d) of the visits a and b of both windows with d = their finished days / those before (M. D. Huffman, An Improved Approximate Two-Sample Poisson Test, 1984); φ of the days of both; ν = their number − 2',
        empty: 'unknown: fewer than 5 finished days, or none in a window',
      },
    ),
  },
  'Visits a day against the window of equal length before; today is not finished and left out of both',
);

export const referredProduct = part('A product whose answers sent people', {
  product: text('Key of the product'),
  label: text('Name to show'),
  visits: nullable(count('Visits; null: not measured', referredVisits)),
  pageviews: count('Page views', pageviews),
  interval,
  change,
});

export const referredDay = part('A day of the window', {
  day: text('UTC day, YYYY-MM-DD'),
  visits: nullable(count('Visits; null: not measured', referredVisits)),
  pageviews: nullable(count('Page views; null: not measured', pageviews)),
});

export const referredPage = part('A page to which answers of a product sent people', {
  product: text('Key of the product'),
  url: text('Address of the page, in the spelling that answers cite most'),
  visits: nullable(count('Visits; null: not measured', referredVisits)),
  pageviews: count('Page views', pageviews),
  citations: nullable(
    count('Citations of the page by every engine with web search; null: no answer was collected', citations),
  ),
});

export const referrals = defineRead({
  path: 'referrals',
  tool: 'list_referrals',
  group: 'site',
  mainRows: { at: ['referrals'] },
  summary:
    'Visits of people whom answers sent to the brand’s site, by product, page and day, beside citations',
  guide: `Do answers send people to the site? From server logs; get_visitor_stats is from a snippet. visits null: not measured. AI Overviews and AI Mode are missing: their visits look like Google Search.`,
  toolCap: TOOL_CAPS.referrals,
  needsRuns: false,
  plan: crawlers.plan,
  planSubject: 'Referral analytics',
  params: { brand, ...windowRange },
  response: object({
    brand: brandRef,
    connected: flag('Logs that state where people came from were received at least once'),
    days_measured: count('Days of the window with such logs', {
      name: 'referrals.days_measured',
      what: 'On how many days of the window logs state where people came from.',
      formula: 'UTC days with a log line of no known agent that has a Referer, or that an answer sent',
      unit: 'days',
      empty: '0: none; then nothing was measured',
    }),
    totals: nullable(
      object(
        {
          visits: nullable(count('Visits; null: visitors cannot be told apart', referredVisits)),
          pageviews: count('Page views', pageviews),
          citations: nullable(count('Citations of all own pages; null: no answer was collected', citations)),
          interval,
          change,
        },
        'Totals of the window; null: not measured',
      ),
    ),
    products: list(referredProduct, 'By visits descending, then by page views, then by product'),
    days: list(referredDay, 'Every day of the window, in order'),
    total: count('Rows before the cap', totalRows),
    referrals: list(referredPage, `The ${CAPS.referrals} with most visits, then by page views, url, product`),
    window: measuredWindow,
    ...caveats,
  }),
});

export type Referrals = Infer<typeof referrals.response>;
export type ReferredPage = Infer<typeof referredPage>;
