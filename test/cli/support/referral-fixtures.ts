import type { Referrals } from '../../../src/contract/reads/referrals.js';
import { brand } from './fixtures.js';

const change = { per_day: 4.5, previous_per_day: 2.1, verdict: 'up' } as const;

/** Two pages to which ChatGPT and Perplexity sent people. */
export const referrals: Referrals = {
  brand,
  connected: true,
  days_measured: 2,
  totals: { visits: 12, pageviews: 19, citations: 412, interval: [6.2, 21], change },
  products: [
    { product: 'chatgpt', label: 'ChatGPT', visits: 9, pageviews: 15, interval: [4.1, 17.1], change },
    {
      ...{ product: 'perplexity', label: 'Perplexity', visits: 3, pageviews: 4, interval: null },
      change: { per_day: 1.5, previous_per_day: null, verdict: 'unknown' },
    },
  ],
  days: [
    { day: '2026-11-18', visits: 12, pageviews: 19 },
    { day: '2026-11-19', visits: 0, pageviews: 0 },
    { day: '2026-11-20', visits: null, pageviews: null },
  ],
  total: 2,
  referrals: [
    { product: 'chatgpt', url: 'https://fernweh.example/guides', visits: 9, pageviews: 15, citations: 41 },
    { product: 'perplexity', url: 'https://fernweh.example/prices', visits: 3, pageviews: 4, citations: 0 },
  ],
  window: { start: '2026-11-18', end: '2026-11-20', days: 3 },
  note: null,
  notes: [],
};
