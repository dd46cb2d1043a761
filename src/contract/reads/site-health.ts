import { type Definition, NONE } from '../definition.js';
import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import { count, headed, type Infer, list, nullable, number, object, part, text } from '../schema.js';

const pages = (head: string, description: string, what: string, formula: string, name?: string) =>
  nullable(
    count(`${description}; null: the site was never crawled`, {
      ...(name !== undefined && { name }),
      head,
      what,
      formula,
      unit: 'pages',
      empty: 'null: the site was never crawled',
    }),
  );

const timeToFirstByte: Definition = {
  name: 'ttfb_ms',
  what: 'The time to first byte: of a page, and over all measured pages as median, 90th percentile and maximum.',
  formula: 'percentiles by nearest rank',
  unit: 'milliseconds',
  scale: '0 and up',
  empty: 'null: no page was measured',
};

export const slowPage = part('A slow page of the brand’s site', {
  url: text('Address of the page'),
  status: count('HTTP status', {
    name: 'site-health.status',
    what: 'The status of the page.',
    formula: 'as its server states it',
    unit: 'HTTP status',
    scale: '100 to 599',
    rounding: NONE,
    empty: 'never null',
  }),
  ttfb_ms: headed('time to first byte', number('Time to first byte in milliseconds', timeToFirstByte)),
});

export const ttfb = object(
  {
    p50: headed('median', number('Median, by nearest rank', timeToFirstByte)),
    p90: headed('90th percentile', number('90th percentile, by nearest rank', timeToFirstByte)),
    max: headed('slowest', number('Slowest page', timeToFirstByte)),
  },
  'Time to first byte over the measured pages, in milliseconds; null: no page was measured',
);

export const siteHealth = defineRead({
  tool: 'get_site_health',
  group: 'site',
  mainRows: { at: ['slowest'] },
  summary:
    'What the crawler found on the brand’s own site: pages, bot walls, time to first byte, the slowest pages',
  guide:
    'Can the brand’s own site be read? Of its newest crawl: ok is 200 to 299, errors 400 and up, bot walls apart from both; ttfb in milliseconds. null: never crawled.',
  needsRuns: false,
  plan: 'growth',
  planSubject: 'Site health',
  params: { brand },
  response: object({
    brand: brandRef,
    checked_at: nullable(text('Newest check of any page, ISO 8601; null: the site was never crawled')),
    pages: pages(
      'on record',
      'Pages on record',
      'The pages of the site on record.',
      'pages that were crawled, each with its newest result',
      'site-health.pages',
    ),
    ok_pages: pages(
      'ok',
      'Pages that answered 200 to 299, bot walls aside',
      'The pages that work.',
      'status 200 to 299, without bot walls',
    ),
    error_pages: pages(
      'errors',
      'Pages that answered 400 and up, bot walls aside',
      'The pages that fail.',
      'status 400 and up, without bot walls',
    ),
    bot_walls: pages(
      'bot walls',
      'Pages that let people through and bots not; neither ok nor errors',
      'The pages that let people through and bots not.',
      'neither ok nor errors',
    ),
    measured_pages: pages(
      'measured',
      'Pages whose time to first byte was measured',
      'The pages whose time to first byte is known.',
      'pages with a measured time',
    ),
    ttfb_ms: nullable(ttfb),
    slowest: list(
      slowPage,
      `The ${TOOL_CAPS.slowestPages} slowest measured pages, slowest first, then by url`,
    ),
    ...caveats,
  }),
});

export type SiteHealth = Infer<typeof siteHealth.response>;
