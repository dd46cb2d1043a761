/** POST /api/v1/crawler-events: the one endpoint that writes. */
import { INGEST_LIMITS } from './limits.js';
import { brand, type InferParams, type Params } from './params.js';
import { count, type Infer, part } from './schema.js';

const params = {
  brand,
  vercel_verify: {
    kind: 'text',
    description: 'The code that Vercel shows when a drain is set up; sent back as header x-vercel-verify',
  },
} as const satisfies Params;

export const ingestResult = part('The counters of one body', {
  inserted: count('Rows written; duplicates and hits beyond the retention are not'),
  matched: count('Hits of recognised AI agents, before duplicates are left out'),
  totalLines: count('Lines that parsed as requests'),
  unparsed: count('Lines that could not be parsed'),
});

export const crawlerEvents = {
  name: 'crawler-events',
  summary: 'Takes crawler logs: combined log lines, NDJSON or JSON, as they are or compressed',
  /** A brand may send logs before anything was collected for it. */
  needsRuns: false,
  params,
  limits: INGEST_LIMITS,
  /** The values of Content-Encoding; gzip is also detected by its first bytes. */
  encodings: ['gzip', 'deflate', 'br'],
  response: ingestResult,
} as const;

export type CrawlerEventsParams = InferParams<typeof params>;
export type IngestResult = Infer<typeof ingestResult>;
