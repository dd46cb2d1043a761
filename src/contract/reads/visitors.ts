import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, windowDays } from '../read.js';
import { count, flag, list, nullable, object, part, text } from '../schema.js';
import { lastDaysParam } from '../slice.js';
import { lastDays } from '../wording.js';

const noVisit = 'totals null: the tracking snippet never reported; 0: no visit';
const visits = count('Visits in the window', {
  what: 'The visits of people.',
  formula: 'visits that the tracking snippet counted in the window',
  unit: 'visits',
  empty: noVisit,
});
const aiReferred = count('Those of them that an AI assistant referred', {
  head: 'AI-referred',
  what: 'The visits that came from an AI assistant.',
  formula: 'those of the visits whose referrer is an AI assistant',
  unit: 'visits',
  empty: noVisit,
});
const atMost = (of: string) => `${of}, by visits descending, then by name; at most ${TOOL_CAPS.visitorRows}`;

export const visitTotals = object(
  { visits, ai_referred: aiReferred },
  'Totals of the window; null: the tracking snippet never reported, so nothing was measured',
);
export const visitedPage = part('A page with visits', {
  path: text('Path of the page'),
  visits,
  ai_referred: aiReferred,
});
export const aiSource = part('An assistant that referred visits', {
  source: text('Assistant that referred', 'assistant'),
  visits,
});
export const visitorCountry = part('A country with visits', { country: text('Country'), visits });

export const visitorStats = defineRead({
  tool: 'get_visitor_stats',
  group: 'site',
  mainRows: { at: ['top_pages'] },
  summary:
    'People’s visits as the tracking snippet counts them: totals, AI-referred, top pages, AI sources, countries',
  guide: `Do people come from AI assistants? Visits of the ${lastDays} that the tracking snippet counted; totals null: it never reported, not that nobody came.`,
  needsRuns: false,
  params: { brand, days: lastDaysParam },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    connected: flag('The tracking snippet reported visits at least once'),
    totals: nullable(visitTotals),
    top_pages: list(visitedPage, atMost('Pages')),
    ai_sources: list(aiSource, atMost('Assistants; visits from elsewhere or unknown are left out')),
    countries: list(visitorCountry, atMost('Countries; visits of unknown country are left out')),
    ...caveats,
  }),
});
