import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, defineRead, note } from '../read.js';
import { count, type Infer, list, nullable, number, object, part, text } from '../schema.js';

const pages = (description: string) => nullable(count(`${description}; null: the site was never crawled`));

export const slowPage = part('A slow page of the brand’s site', {
  url: text('Address of the page'),
  status: count('HTTP status'),
  ttfb_ms: number('Time to first byte in milliseconds'),
});

export const ttfb = object(
  {
    p50: number('Median, by nearest rank'),
    p90: number('90th percentile, by nearest rank'),
    max: number('Slowest page'),
  },
  'Time to first byte over the measured pages, in milliseconds; null: no page was measured',
);

export const siteHealth = defineRead({
  tool: 'get_site_health',
  mainRows: { at: ['slowest'] },
  summary:
    'What the crawler found on the brand’s own site: pages, bot walls, time to first byte, the slowest pages',
  guide: `As of the newest crawl: ok is 200 to 299, errors are 400 and up, bot walls count apart from both; time to first byte is in milliseconds over the measured pages only, and the ${TOOL_CAPS.slowestPages} slowest are listed. Counts are null when the site was never crawled. Needs the Growth plan or above.`,
  needsRuns: false,
  plan: 'growth',
  planSubject: 'Site health',
  params: { brand },
  response: object({
    brand: brandRef,
    checked_at: nullable(text('Newest check of any page, ISO 8601; null: the site was never crawled')),
    pages: pages('Pages on record'),
    ok_pages: pages('Pages that answered 200 to 299, bot walls aside'),
    error_pages: pages('Pages that answered 400 and up, bot walls aside'),
    bot_walls: pages('Pages that let people through and bots not; neither ok nor errors'),
    measured_pages: pages('Pages whose time to first byte was measured'),
    ttfb_ms: nullable(ttfb),
    slowest: list(
      slowPage,
      `The ${TOOL_CAPS.slowestPages} slowest measured pages, slowest first, then by url`,
    ),
    note,
  }),
});

export type SiteHealth = Infer<typeof siteHealth.response>;
