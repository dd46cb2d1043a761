import { counted, type DefinitionGroup, stated } from './definition.js';

const noLogs = 'null: no log was ever received; 0: logs arrive, and it did not come';
const noCrawl = 'null: the site was never crawled';
const noVisit = 'totals null: the tracking snippet never reported; 0: no visit';

export const site: DefinitionGroup = {
  id: 'site',
  title: 'The brand’s site',
  definitions: [
    counted(
      'hits',
      'requests',
      'The requests of AI crawlers.',
      'stored log lines of the agent in the window',
      noLogs,
    ),
    counted(
      'pages',
      'paths',
      'The paths that AI crawlers requested.',
      'distinct paths in the window',
      noLogs,
    ),
    counted(
      'site-health.pages',
      'pages',
      'The pages of the site on record.',
      'pages that were crawled, each with its newest result',
      noCrawl,
    ),
    counted('ok_pages', 'pages', 'The pages that work.', 'status 200 to 299, without bot walls', noCrawl),
    counted('error_pages', 'pages', 'The pages that fail.', 'status 400 and up, without bot walls', noCrawl),
    counted(
      'bot_walls',
      'pages',
      'The pages that let people through and bots not.',
      'neither ok nor errors',
      noCrawl,
    ),
    counted(
      'measured_pages',
      'pages',
      'The pages whose time to first byte is known.',
      'pages with a measured time',
      noCrawl,
    ),
    {
      name: 'ttfb_ms',
      fields: ['ttfb_ms', 'ttfb_ms.p50', 'ttfb_ms.p90', 'ttfb_ms.max'],
      what: 'The time to first byte: of a page, and over all measured pages as median, 90th percentile and maximum.',
      formula: 'percentiles by nearest rank',
      unit: 'milliseconds',
      scale: '0 and up',
      rounding: 'none',
      denominator: null,
      empty: 'null: no page was measured',
      interval: null,
    },
    stated(
      'site-health.status',
      'HTTP status',
      'its server',
      { what: 'The status of the page.', empty: 'never null' },
      { scale: '100 to 599' },
    ),
    counted(
      'visits',
      'visits',
      'The visits of people.',
      'visits that the tracking snippet counted in the window',
      noVisit,
    ),
    counted(
      'ai_referred',
      'visits',
      'The visits that came from an AI assistant.',
      'those of the visits whose referrer is an AI assistant',
      noVisit,
    ),
  ],
};
