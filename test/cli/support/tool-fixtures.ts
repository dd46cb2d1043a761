/** Payloads of the tools without a REST twin, as the API sends them, typed by the contract. */

import { fact, noted } from '../../../src/contract/notes.js';
import type { coveredPrompt } from '../../../src/contract/reads/coverage.js';
import type { fanout } from '../../../src/contract/reads/fanouts.js';
import type { OffsiteMention } from '../../../src/contract/reads/offsite.js';
import type { CommunityThread } from '../../../src/contract/reads/threads.js';
import type { TrackedPage } from '../../../src/contract/reads/tracked-pages.js';
import type { CitedVideo } from '../../../src/contract/reads/youtube.js';
import type { Infer } from '../../../src/contract/schema.js';
import type { ToolPayloadOf } from '../../../src/contract/tools.js';
import { brand, unsliced } from './fixtures.js';
import { factCheck } from './report-fixtures.js';

const window = { brand, window_days: 7, note: null, notes: [] };
const days = { window: unsliced.window, measured: unsliced.measured };
const engines = ['chatgpt', 'aimode', 'copilot', 'perplexity', 'gemini', 'claude'];

const search = (query: string, rest: Partial<Infer<typeof fanout>>): Infer<typeof fanout> => ({
  query,
  runs: 40,
  engines: [...engines],
  prompts: ['p_1', 'p_2', 'p_3'],
  is_echo: false,
  volume: 8100,
  ...rest,
});

export const fanouts: ToolPayloadOf<'list_fanouts'> = {
  ...window,
  total: 1203,
  fanouts: [
    search('whole bean coffee subscription with two day delivery to Germany and Austria, reddit', {}),
    search('best decaf\u001b[31m espresso | 2026', {
      runs: 3,
      prompts: ['p_2'],
      is_echo: true,
      volume: null,
    }),
    search('kaffee abo', { runs: 1, engines: ['llama'], prompts: ['p_1'], volume: 0 }),
  ],
  ...noted([fact('most_frequent_searches', { shown: 3, total: 1203 })]),
  ...days,
};

const video = (id: string, rest: Partial<CitedVideo>): CitedVideo => ({
  video_id: id,
  url: `https://www.youtube.com/watch?v=${id}`,
  title: 'Seven subscriptions for whole beans compared by a barista who travels',
  channel_id: 'UCq7Tn3mPlaEsprLab5kZt2w',
  channel_name: 'Tamper & Test',
  engines: [...engines],
  citations: 1074,
  answers: 1061,
  best_position: 1,
  avg_position: 3.2432432432432434,
  published_at: '2026-01-20T17:30:00.000Z',
  views: 612904,
  likes: 0,
  stats_as_of: '2026-11-20T04:00:00.000Z',
  ...rest,
});

export const youtube: ToolPayloadOf<'list_youtube_citations'> = {
  ...window,
  videos: [
    video('Lz9PrMo_2xA', {}),
    video('d1aLin30sec', {
      title: null,
      channel_id: null,
      channel_name: null,
      citations: 48,
      published_at: null,
      views: null,
      likes: null,
      stats_as_of: null,
    }),
  ],
};

const finding = (id: string, rest: Partial<OffsiteMention>): OffsiteMention => ({
  id,
  week: '2026-11-16',
  kind: 'web',
  entity: 'North Roast Collective',
  is_brand: false,
  title: 'Long-term notes on the North Roast Collective and what became of its shop in Leipzig',
  url: `https://www.roast-weekly.example/2026/${id}`,
  domain: 'roast-weekly.example',
  found_at: '2026-11-19T09:30:18.000Z',
  ...rest,
});

export const offsite: ToolPayloadOf<'list_offsite_mentions'> = {
  brand,
  total: 3,
  mentions: [
    finding('f_3', {}),
    finding('f_2', { kind: 'news', entity: brand.name, is_brand: true, title: 'Fernweh opens in Graz' }),
    finding('f_1', { week: '2026-11-09', url: 'urn:isbn:1', domain: null }),
  ],
  ...noted([fact('leads')]),
};

const rank = (metric: string, value: number) => ({
  provider: 'linkindex',
  metric,
  value,
  fetched_at: '2026-11-20T06:00:00.000Z',
});

const tracked = (path: string, rest: Partial<TrackedPage>): TrackedPage => ({
  url: `https://www.fernweh.example${path}`,
  title: 'Whole beans | Fernweh Coffee',
  added_at: '2026-02-16T08:00:00.000Z',
  citations_total: 2010,
  answers_total: 1970,
  first_cited: '2026-09-23',
  last_cited: '2026-11-21',
  engines: [...engines],
  ranks: [rank('page_authority', 29), rank('organic_visits', 0)],
  ...rest,
});

export const trackedPages: ToolPayloadOf<'list_tracked_pages'> = {
  brand,
  total: 3,
  pages: [
    tracked('/shop/whole-beans-of-the-season-for-espresso-and-filter', {}),
    tracked('/guides/decaf', { title: null, added_at: null, ranks: null }),
    tracked('/', {
      citations_total: 0,
      answers_total: 0,
      first_cited: null,
      last_cited: null,
      engines: [],
      ranks: [rank('organic_visits', 1840)],
    }),
  ],
  note: null,
  notes: [],
};

export const siteHealth: ToolPayloadOf<'get_site_health'> = {
  brand,
  checked_at: '2026-11-20T03:01:58.000Z',
  pages: 1260,
  ok_pages: 1152,
  error_pages: 4,
  bot_walls: 0,
  measured_pages: 1153,
  ttfb_ms: { p50: 334, p90: 476.5, max: 1023 },
  slowest: [
    {
      url: 'https://www.fernweh.example/shop/whole-beans-of-the-season-for-espresso-and-filter?sort=price',
      status: 200,
      ttfb_ms: 1023,
    },
    { url: 'https://www.fernweh.example/journal/five-years-on', status: 404, ttfb_ms: 454 },
  ],
  note: null,
  notes: [],
};

export const neverCrawled: ToolPayloadOf<'get_site_health'> = {
  brand,
  checked_at: null,
  pages: null,
  ok_pages: null,
  error_pages: null,
  bot_walls: null,
  measured_pages: null,
  ttfb_ms: null,
  slowest: [],
  ...noted([fact('never_crawled')]),
};

export const visitors: ToolPayloadOf<'get_visitor_stats'> = {
  ...window,
  connected: true,
  totals: { visits: 8971, ai_referred: 1127 },
  top_pages: [
    { path: '/', visits: 3023, ai_referred: 377 },
    {
      path: '/shop/whole-beans-of-the-season-for-espresso-and-filter?sort=price&page=2&roast=dark',
      visits: 616,
      ai_referred: 0,
    },
  ],
  ai_sources: [{ source: 'chatgpt.com', visits: 580 }],
  countries: [{ country: 'DE', visits: 4686 }],
};

const thread = (id: string, rest: Partial<CommunityThread>): CommunityThread => ({
  url: `https://www.coffee-forum.example/t/${id}`,
  domain: 'coffee-forum.example',
  kind: 'forum',
  title: 'Which subscription would you order again, and which one did you give up after a month?',
  citations: 1280,
  answers: 1270,
  engines: [...engines],
  brand_in_thread: false,
  checked_at: '2026-11-20T05:00:00.000Z',
  ...rest,
});

export const threads: ToolPayloadOf<'list_community_threads'> = {
  ...window,
  total: 3,
  threads: [
    thread('1', {}),
    thread('2', { title: 'Decaf without regrets', brand_in_thread: true, kind: 'qa' }),
    thread('3', { title: null, kind: null, citations: 30, brand_in_thread: null, checked_at: null }),
  ],
};

const covered = (id: string, text: string, rest: Partial<Infer<typeof coveredPrompt>>) => ({
  prompt_id: id,
  text,
  run_count: 31,
  cites_own: true,
  own_pages: [
    { url: 'https://www.fernweh.example/shop/whole-beans', citations: 3 },
    { url: 'https://www.fernweh.example/', citations: 1 },
  ],
  winners: [
    { domain: 'coffee-forum.example', classification: 'ugc' as const, citations: 16 },
    { domain: 'northroast.example', classification: 'competitor' as const, citations: 13 },
    { domain: 'roast-weekly.example', classification: 'editorial' as const, citations: 12 },
  ],
  ...rest,
});

export const coverage: ToolPayloadOf<'get_content_coverage'> = {
  ...window,
  ...days,
  totals: { prompts: 3, measured: 2, covered: 1 },
  prompts: [
    covered('p_1', 'Which specialty coffee roasters ship whole beans to Germany within two days?', {}),
    covered('p_2', 'best decaf espresso | 2026', { cites_own: false, own_pages: [], winners: [] }),
    covered('p_3', 'fair trade beans', { run_count: 0, cites_own: null, own_pages: [], winners: [] }),
  ],
};

export const factCheckRun: ToolPayloadOf<'run_fact_check'> = {
  brand,
  ran: true,
  reason: null,
  cost_usd: 0.0141,
  fact_check: { ...factCheck.fact_check!, age_days: 0 },
  note: null,
  notes: [],
};

export const payloads = {
  list_fanouts: fanouts,
  list_youtube_citations: youtube,
  list_offsite_mentions: offsite,
  list_tracked_pages: trackedPages,
  get_site_health: siteHealth,
  get_visitor_stats: visitors,
  list_community_threads: threads,
  get_content_coverage: coverage,
  run_fact_check: factCheckRun,
};
