/** Bodies as the API sends them, typed by the contract. */

import { engineIds } from '../../../src/contract/engines.js';
import type { MetricChange } from '../../../src/contract/intervals.js';
import type { Verdict } from '../../../src/contract/measures.js';
import type { BrandRef } from '../../../src/contract/read.js';
import type { Answer } from '../../../src/contract/reads/answers.js';
import type { BrandEntry } from '../../../src/contract/reads/brands.js';
import type { Competitor } from '../../../src/contract/reads/competitors.js';
import type { Overview } from '../../../src/contract/reads/overview.js';
import type { Prompt, TagGroup } from '../../../src/contract/reads/prompts.js';
import type { Source } from '../../../src/contract/reads/sources.js';
import type { CitedUrl } from '../../../src/contract/reads/urls.js';
import type { Slice } from '../../../src/contract/slice.js';

export const brand: BrandRef = { id: 'br_fernweh', name: 'Fernweh Coffee', domain: 'fernweh.example' };

export const brands: BrandEntry[] = [
  { ...brand, archived: false, collection_fault: null, summary: null, workspace_name: null },
  {
    id: 'br_tide',
    name: 'Tide & Pine',
    domain: 'tideandpine.example',
    archived: true,
    collection_fault: null,
    summary: null,
    workspace_name: null,
  },
];

const moved = (previous: number, delta: number, verdict: Verdict, difference = delta): MetricChange => ({
  previous,
  delta,
  difference,
  verdict,
  reason: null,
  reason_fact: null,
});

const unknownChange: MetricChange = {
  previous: null,
  delta: null,
  difference: null,
  verdict: 'unknown',
  reason: 'Measured on 0 days of this window and 0 of the one before; a verdict needs 4 of each.',
  reason_fact: { code: 'too_few_days', measured: 0, measured_before: 0, least: 4 },
};

const { presence_rate: _, ...competitorChange } = {
  previous_run_count: 1398,
  visibility: moved(41, 0.5, 'no_clear_change', 0.2),
  presence_rate: unknownChange,
  share_of_voice_fraction: moved(0.199, 0.002, 'no_clear_change'),
  citation_share: moved(0.07, -0.02, 'down'),
  sentiment_index: moved(58, 0.3, 'no_clear_change'),
};

/** The fields about uncertainty where nothing was measured. */
export const uncertain: Pick<Overview, 'intervals' | 'change'> = {
  intervals: {
    level: 0.95,
    unit: 'day',
    visibility: null,
    presence_rate: null,
    share_of_voice_fraction: null,
    citation_share: null,
    sentiment_index: null,
  },
  change: {
    previous_run_count: 0,
    visibility: unknownChange,
    presence_rate: unknownChange,
    share_of_voice_fraction: unknownChange,
    citation_share: unknownChange,
    sentiment_index: unknownChange,
  },
};
const { presence_rate: _interval, ...uncertainIntervals } = uncertain.intervals;
const { presence_rate: _change, ...uncertainChange } = uncertain.change;
export const uncertainCompetitor: Pick<Competitor, 'intervals' | 'change'> = {
  intervals: uncertainIntervals,
  change: uncertainChange,
};

/** The last fields of a read with a slice of two weeks. */
export const sliced = (
  chosen: Partial<Slice>,
): Pick<Overview, 'window' | 'slice' | 'measured' | 'note' | 'notes'> => ({
  window: { start: '2026-11-01', end: '2026-11-14', days: 14 },
  slice: {
    from: '2026-11-01',
    to: '2026-11-14',
    engines: null,
    prompts: null,
    topics: null,
    tags: null,
    regions: null,
    surfaces: null,
    ...chosen,
  },
  measured: { first_day: '2026-11-01', last_day: '2026-11-14' },
  note: null,
  notes: [],
});

/** The last fields of a read without a slice. */
export const unsliced = {
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
  slice: null,
  measured: { first_day: '2026-11-14', last_day: '2026-11-20' },
  note: null,
  notes: [],
};

export const overview = {
  brand,
  window_days: 7,
  run_count: 1412,
  visibility: 62.4,
  presence_rate: 0.713,
  share_of_voice: 34.5,
  share_of_voice_fraction: 0.345,
  citation_share: 0.12034632034632,
  sentiment_index: null,
  avg_position: 1.8333333333333333,
  low_confidence: false,
  has_prior_window: true,
  surfaces: [{ surface: 'api', run_count: 1412 }],
  shown: null,
  intervals: {
    level: 0.95,
    unit: 'day',
    visibility: [60.3, 64.5],
    presence_rate: [0.69, 0.735],
    share_of_voice_fraction: [0.331, 0.36],
    citation_share: [0.101, 0.143],
    sentiment_index: null,
  },
  change: {
    previous_run_count: 1398,
    visibility: moved(59.2, 5.4, 'up', 3.2),
    presence_rate: moved(0.71, 0.003, 'no_clear_change'),
    share_of_voice_fraction: moved(0.371, -0.026, 'down'),
    citation_share: moved(0.122, -0.002, 'no_clear_change'),
    sentiment_index: unknownChange,
  },
  model_changes: [{ engine: 'chatgpt', model: 'gpt-5.2', since: '2026-11-18' }],
  ...unsliced,
} satisfies Overview;

export const thinOverview: Overview = {
  ...overview,
  run_count: 3,
  citation_share: null,
  ...uncertain,
  low_confidence: true,
  has_prior_window: false,
  note: 'Only 3 runs were collected in this window.',
  notes: [{ code: 'of_a_newer_server' }],
};

const prompt = (id: string, text: string, measured: Partial<Prompt>): Prompt => ({
  id,
  text,
  stage: 'consideration',
  topic: 'beans',
  topic_id: null,
  topic_name: null,
  tags: ['beans', 'gift'],
  est_volume: null,
  est_volume_band: [1200, 3400],
  volume_confidence: 'modelled',
  matched_gsc_query: null,
  gsc_impressions_28d: null,
  presence_rate: 0.713,
  visibility: 62,
  avg_position: 1.8333333333333333,
  run_count: 56,
  ...measured,
});

export const prompts: Prompt[] = [
  prompt('p_1', 'Which specialty coffee roasters ship whole beans to Germany within two days?', {}),
  prompt('p_2', 'best decaf espresso | 2026', { presence_rate: 0, visibility: 0, avg_position: null }),
  prompt('p_3', 'coffee subscription gift', {
    presence_rate: null,
    visibility: null,
    avg_position: null,
    run_count: 0,
    est_volume_band: null,
    stage: '—',
  }),
  prompt('p_4', 'fair trade beans', { presence_rate: 0.333, visibility: 33, avg_position: 3, run_count: 3 }),
];

export const tagGroups: TagGroup[] = [{ id: 'tg_1', name: 'Product', color: '#aa5500', tags: ['beans'] }];

const competitor = (id: string, name: string, measured: Partial<Competitor>): Competitor => ({
  id,
  name,
  domain: `${id}.example`,
  is_brand: false,
  visibility: 41.2,
  share_of_voice: 20.1,
  share_of_voice_fraction: 0.201,
  citation_share: 0.05,
  sentiment_index: 58.3,
  avg_position: 2.4,
  intervals: {
    level: 0.95,
    unit: 'day',
    visibility: [39.4, 43],
    share_of_voice_fraction: [0.188, 0.214],
    citation_share: [0.041, 0.061],
    sentiment_index: [55.2, 61.4],
  },
  change: competitorChange,
  measured_since: null,
  ...measured,
});

export const competitors: Competitor[] = [
  competitor('br_fernweh', brand.name, { is_brand: true, domain: brand.domain, visibility: 62.4 }),
  competitor('northroast', 'North Roast Collective', {}),
  competitor('kaffeewerk', 'Kaffeewerk', { domain: '', citation_share: null, sentiment_index: null }),
];

const labels = ['owned', 'editorial', 'ugc', 'competitor'] as const;

/** As many as the unpaged read may give and more, by citations. */
export const sources: Source[] = Array.from({ length: 450 }, (_, at) => ({
  domain: `${['reviews', 'coffee-forum', 'fernweh', 'roast-weekly'][at % 4]}-${at + 1}.example`,
  classification: labels[at % 4]!,
  overridden: at === 1,
  citations: 1700 - at,
  brand_present: at % 3 !== 1,
}));

export const urls: CitedUrl[] = [
  {
    url: 'https://www.roast-weekly.example/2026/the-best-specialty-coffee-subscriptions-for-people-who-travel',
    domain: 'roast-weekly.example',
    title: 'The best specialty coffee subscriptions for people who travel',
    classification: 'editorial',
    overridden: false,
    citations: 84,
    prior_citations: null,
    answers: 61,
    engines: ['chatgpt', 'perplexity', 'gemini'],
    brand_present: true,
    page_type: 'listicle',
  },
  {
    url: 'https://coffee-forum.example/t/decaf?page=2',
    domain: 'coffee-forum.example',
    title: 'Decaf\u001b[31m without regrets?\nA thread',
    classification: 'ugc',
    overridden: true,
    citations: 0,
    prior_citations: 12,
    answers: 0,
    engines: [],
    brand_present: false,
    page_type: null,
  },
];

export const answers: Answer[] = Array.from({ length: 450 }, (_, at) => ({
  id: `run_${String(at + 1).padStart(4, '0')}`,
  date: '2026-11-19',
  region: 'de',
  engine: engineIds[at % engineIds.length]!,
  model: at % 2 === 0 ? 'gpt-5.1' : '',
  prompt_id: `p_${(at % 4) + 1}`,
  brand_present: at % 2 === 0,
  mentions: [
    { name: 'North Roast Collective', order: 1, sentiment: null, evidence: null, entity: null },
    {
      name: 'Fernweh Coffee',
      order: 2,
      sentiment: 'positive',
      evidence: 'a favourite of many',
      entity: 'br_fernweh',
    },
  ],
  citations: [{ domain: 'roast-weekly.example', url: 'https://roast-weekly.example/2026/best' }],
  excerpt: 'Fernweh Coffee is a favourite of many.',
}));
