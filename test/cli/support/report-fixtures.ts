/** Bodies of the reads that are objects around rows, as the API sends them, typed by the contract. */
import type { Ads } from '../../../src/contract/reads/ads.js';
import type { CrawlerAgent, Crawlers } from '../../../src/contract/reads/crawlers.js';
import type { FactCheck } from '../../../src/contract/reads/fact-check.js';
import type { EntityTone, Quote, Sentiment } from '../../../src/contract/reads/sentiment.js';
import type { Product, Shopping } from '../../../src/contract/reads/shopping.js';
import type { ShoppingTrend } from '../../../src/contract/reads/shopping-trend.js';
import { brand } from './fixtures.js';

const entity = (name: string, rest: Partial<EntityTone>): EntityTone => ({
  name,
  domain: 'northroast.example',
  is_brand: false,
  sentiment_index: 62.5,
  mentions: 8,
  positive: 3,
  neutral: 4,
  negative: 1,
  unscored: 0,
  measured_since: null,
  ...rest,
});

const quote = (sentiment: Quote['sentiment'], text: string, rest: Partial<Quote>): Quote => ({
  run_id: 'run_0007',
  date: '2026-11-19',
  engine: 'perplexity',
  prompt_id: 'p_2',
  prompt: 'best decaf espresso | 2026',
  entity: brand.name,
  is_brand: true,
  tracked: true,
  sentiment,
  quote: text,
  ...rest,
});

export const sentiment: Sentiment = {
  brand,
  window_days: 7,
  engines: null,
  engine_scope: 'blended',
  run_count: 1412,
  entities: [
    entity(brand.name, { is_brand: true, domain: brand.domain, mentions: 1003, unscored: 995 }),
    entity('Kaffeewerk', { sentiment_index: null, positive: 0, neutral: 0, negative: 0, unscored: 8 }),
  ],
  by_engine: [
    { engine: 'chatgpt', run_count: 706, ...entity(brand.name, { is_brand: true }) },
    {
      engine: 'grok',
      run_count: 706,
      ...entity(brand.name, { is_brand: true, sentiment_index: null, mentions: 0 }),
    },
  ],
  quotes: [
    quote(
      'negative',
      'the decaf\u001b[31m tastes flat, and two of three parcels to Austria took longer than a week',
      {},
    ),
    quote('neutral', 'ships whole beans only', { entity: 'Beanhaul', is_brand: false, tracked: false }),
    quote('positive', 'a favourite of many', { entity: 'Kaffeewerk', is_brand: false }),
  ],
  quotes_total: 1203,
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
  measured: { first_day: '2026-11-14', last_day: '2026-11-20' },
  note: '50 is neutral; an entity without a scored mention has no index.',
  notes: [{ code: 'of_a_newer_server' }],
};

export const ads: Ads = {
  brand,
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
  engines: null,
  engines_observable: ['chatgpt'],
  totals: { units: 2, advertisers: 1 },
  capture: {
    all_time_units: 1099,
    first_captured_at: '2026-07-02T08:00:00.000Z',
    last_captured_at: '2026-11-20T09:00:00.000Z',
  },
  ads: [
    {
      run_id: 'run_0007',
      prompt_id: 'p_2',
      engine: 'chatgpt',
      captured_at: '2026-11-20T09:00:00.000Z',
      date: '2026-11-20',
      advertiser: 'Beanhaul',
      advertiser_url: 'https://beanhaul.example/?utm=x',
      advertiser_domain: 'beanhaul.example',
      favicon_url: null,
      cards: [{ title: 'Espresso machines', body: null, target_url: null, domain: null, image_url: null }],
    },
    {
      run_id: 'run_0009',
      prompt_id: 'p_1',
      engine: 'chatgpt',
      captured_at: '2026-11-14T09:00:00.000Z',
      date: '2026-11-14',
      advertiser: null,
      advertiser_url: null,
      advertiser_domain: null,
      favicon_url: null,
      cards: [],
    },
  ],
  note: null,
  notes: [],
};

const product = (name: string, rest: Partial<Product>): Product => ({
  product: name,
  merchant_domain: 'beanhaul.example',
  merchant: null,
  price: '€24.90',
  price_amount: 24.9,
  currency: 'EUR',
  url: 'https://beanhaul.example/p/1',
  is_own: false,
  appearances: 14,
  carousels_featuring: 12,
  win_rate: 0.42857142857142855,
  visibility_share: 0.2553191489361702,
  avg_position: 2.357142857142857,
  ...rest,
});

export const shopping: Shopping = {
  brand,
  window_days: 7,
  totals: { carousels: 47, products: 91, own_appearances: 1, own_avg_position: 4 },
  products: [
    product('North Roast Espresso Blend, whole beans, one kilogram', {}),
    product('Fernweh Decaf', { is_own: true, price: null, price_amount: 12.5, appearances: 1, win_rate: 0 }),
    product('Kaffeewerk Filter', {
      price: null,
      price_amount: null,
      currency: null,
      merchant_domain: null,
      url: null,
    }),
  ],
  channel_coverage: [
    { engine: 'chatgpt', status: 'parses-today', sampled: true, carousels: 0 },
    { engine: 'copilot', status: 'awaiting-payload', sampled: true, carousels: null },
  ],
  note: null,
  notes: [],
  engines_observable: ['chatgpt'],
};

export const shoppingTrend: ShoppingTrend = {
  brand,
  window_days: 7,
  days_observed: 2,
  trend: [
    {
      date: '2026-11-18',
      carousels: 9,
      own_carousel_share: 0.5555555555555556,
      own_win_share: 0,
      own_avg_position: 4.5,
    },
    { date: '2026-11-20', carousels: 3, own_carousel_share: 0, own_win_share: 0, own_avg_position: null },
  ],
  note: null,
  notes: [],
  engines_observable: ['chatgpt'],
};

export const factCheck: FactCheck = {
  brand,
  fact_check: {
    checked_at: '2026-11-17T14:22:13.060Z',
    answers_checked: 7,
    stale: false,
    age_days: 3,
    stale_after_days: 7,
    cost_usd: 0.0132,
    discrepancies: [
      {
        engine: 'copilot',
        claim: 'It was founded in 1998.',
        truth: 'It was founded in 2011.',
        severity: 'high',
        run_id: 'run_7',
      },
      {
        engine: 'gemini',
        claim: 'It ships to Austria only.',
        truth: 'It ships to all of the EU.',
        severity: 'low',
        run_id: null,
      },
    ],
  },
  note: null,
  notes: [],
};

const agent = (label: string, purpose: string, hits: number, rest: Partial<CrawlerAgent>): CrawlerAgent => ({
  agent: label,
  label,
  operator: 'OpenAI',
  purpose,
  engine: 'chatgpt',
  hits,
  pages: Math.ceil(hits / 2),
  first_seen: hits === 0 ? null : '2026-11-14T01:00:00Z',
  last_seen: hits === 0 ? null : '2026-11-20T14:11:00Z',
  outcomes: {
    ...{ served: hits, not_found: 0, refused: 0, payment_required: 0, throttled: 0, failed: 0, other: 0 },
  },
  verified_hits: hits,
  unverified_hits: 0,
  unknown_hits: 0,
  ranges_date: '2026-10-09',
  robots: { verdict: 'allowed', rule: null, blocked_path: null },
  robots_signals: [],
  in_logs: true,
  ...rest,
});
const closed = { verdict: 'blocked', rule: 'User-agent: *: Disallow: /', blocked_path: '/' } as const;

export const crawlers: Crawlers = {
  brand,
  window_days: 7,
  connected: true,
  last_event_at: '2026-11-20T14:22:06.000Z',
  robots_fetch_state: 'ok',
  totals: { hits: 1553, pages: 65 },
  agents: [
    agent('GPTBot', 'training', 1104, { robots: closed }),
    agent('ChatGPT-User', 'user_fetch', 449, {
      robots: { verdict: 'unaddressed', rule: null, blocked_path: null },
    }),
    agent('OAI-SearchBot', 'search_index', 0, { robots: closed }),
    agent('CCBot', 'training', 0, { operator: 'Common Crawl', engine: null }),
    agent('Google-Extended', 'training', 0, { in_logs: false, operator: 'Google', robots: closed }),
  ],
  note: null,
  notes: [],
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
};
