import { glossary, type Term } from '../../contract/glossary.js';
import { STATISTICS_READ } from '../../contract/slice.js';

/** Terms of tables for fields that notes of the API name. */
const terms: { readonly [field: string]: string } = {
  sentiment_index: 'sentiment',
  ttfb_ms: 'the time to first byte',
};

/** Replaces field names and null in a note of the API by the heads and the `—` of tables. */
export const inTableTerms = (note: string): string =>
  note
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (field) => terms[field] ?? field)
    .replace(/\bnull means\b/g, '— means')
    .replace(/\b(is|are) null\b/g, '$1 not known')
    .replace(/\bthe zeros (?:here )?stand for\b/, '— stands for')
    .replace(STATISTICS_READ, '`svc history` with the same --from and --to')
    .replace(' (tracked: false)', '')
    .replace('Ship logs to POST /api/v1/crawler-events.', 'Ship logs with `svc ingest`.');

/** The fields behind heads of tables that are neither the field's own name nor a word of the glossary. */
const fieldsOfHeads: { readonly [head: string]: string } = {
  'asks a month': 'est_volume_band',
  places: 'shopping.appearances',
  'win rate, slot 1': 'shopping.win_rate',
  'of carousels': 'shopping.visibility_share',
  'with an own product': 'shopping-trend.own_carousel_share',
  'own product in slot 1': 'shopping-trend.own_win_share',
  'own cited': 'cites_own',
  'closed path': 'blocked_path',
  feeds: 'crawlers.engine',
  tone: 'sentiment.quotes.sentiment',
  median: 'p50',
  '90th percentile': 'p90',
  'time to first byte': 'ttfb_ms',
  'week of': 'offsite.week',
  found: 'found_at',
  search: 'query',
  'first card': 'cards',
  'mentions, by rank': 'mentions',
};

/** The names to look for a head of a table under, its scale behind it or not: the fields behind it, else the words as a field is written. */
export function fieldsOfHead(head: string): string[] {
  const words = head
    .toLowerCase()
    .replace(/\s*\([^()]*\)$/, '')
    .trim();
  const field = Object.hasOwn(fieldsOfHeads, words) ? [fieldsOfHeads[words]!] : [];
  const terms: readonly Term[] = Object.values(glossary).filter(({ label }) => label === words);
  return [...field, ...terms.flatMap(({ api }) => api), words, words.replace(/[\s-]+/g, '_')];
}
