import type { ListName, ResponseOf } from '../../../src/contract/registry.js';
import type { Overview, Prompt } from '../../../src/sdk/index.js';

export const brandRef = { id: 'b-acme', name: 'Acme', domain: 'acme.example' };

const unchanged = (previous: number, delta: number, difference = delta) => ({
  previous,
  delta,
  difference,
  verdict: 'no_clear_change' as const,
  reason: null,
  reason_fact: null,
});

export const overviewBody: Overview = {
  brand: brandRef,
  window_days: 7,
  run_count: 168,
  visibility: 41.3,
  presence_rate: 0.482,
  share_of_voice: 22.9,
  share_of_voice_fraction: 0.229,
  citation_share: null,
  sentiment_index: 63,
  avg_position: 2.4,
  low_confidence: false,
  has_prior_window: true,
  surfaces: [{ surface: null, run_count: 168 }],
  shown: null,
  intervals: {
    level: 0.95,
    unit: 'day',
    visibility: [38.2, 44.4],
    presence_rate: [0.45, 0.514],
    share_of_voice_fraction: [0.211, 0.248],
    citation_share: null,
    sentiment_index: [58.1, 67.9],
  },
  change: {
    previous_run_count: 168,
    visibility: unchanged(40.1, 3, 1.2),
    presence_rate: unchanged(0.477, 0.005),
    share_of_voice_fraction: unchanged(0.23, -0.001),
    citation_share: {
      previous: null,
      delta: null,
      difference: null,
      verdict: 'unknown',
      reason: 'No domain is known, so no citation can be counted as its own.',
      reason_fact: { code: 'no_domain' },
    },
    sentiment_index: unchanged(61.5, 1.5),
  },
  model_changes: [],
  note: null,
  notes: [],
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
  slice: null,
  measured: { first_day: '2026-11-14', last_day: '2026-11-20' },
};

export const prompt = (index: number): Prompt => ({
  id: `p-${String(index).padStart(4, '0')}`,
  text: `Question ${index}`,
  stage: '—',
  topic: null,
  topic_id: null,
  topic_name: null,
  tags: [],
  est_volume: null,
  est_volume_band: null,
  volume_confidence: null,
  matched_gsc_query: null,
  gsc_impressions_28d: null,
  presence_rate: index % 3 === 0 ? null : (index % 3) - 1,
  visibility: index % 3 === 0 ? null : 40,
  avg_position: index % 3 === 2 ? 1.5 : null,
  run_count: index % 3 === 0 ? 0 : 8,
});

/** What the unpaged reads leave out. */
const caps: { readonly [name: string]: number } = { sources: 20, urls: 50, answers: 200 };
const listNames = [
  'brands',
  'prompts',
  'competitors',
  'sources',
  'urls',
  'answers',
  'moves',
  'names',
] as const;

export const isList = (name: string): name is ListName => (listNames as readonly string[]).includes(name);

/** A list's unpaged envelope, or one page of it; a cursor is the index of the row that comes next. */
export function listBody(name: ListName, count: number, query: URLSearchParams): object {
  const rows = Array.from({ length: count }, (_, index) =>
    name === 'prompts' ? prompt(index) : { id: `${name}-${index}` },
  );
  const envelope: Partial<ResponseOf<'prompts'>> = {
    ...(name !== 'brands' && { brand: brandRef }),
    ...(name === 'prompts' && { tag_groups: [] }),
  };
  if (!query.has('cursor') && !query.has('limit')) return { ...envelope, [name]: rows.slice(0, caps[name]) };
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 50);
  return { ...envelope, [name]: rows.slice(from, to), next_cursor: to < count ? String(to) : null };
}
