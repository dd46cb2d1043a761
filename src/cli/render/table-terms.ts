import { glossary, type Term } from '../../contract/glossary.js';

/** The fields behind heads of tables that are neither the field's own name nor a word of the glossary. */
const fieldsOfHeads: { readonly [head: string]: string } = {
  part: 'why.total',
  'asks a month': 'est_volume_band',
  places: 'shopping.appearances',
  'win rate, slot 1': 'shopping.win_rate',
  'of carousels': 'shopping.visibility_share',
  'with an own product': 'shopping-trend.own_carousel_share',
  'own product in slot 1': 'shopping-trend.own_win_share',
  'own cited': 'cites_own',
  'closed path': 'blocked_path',
  feeds: 'crawlers.engine',
  // Findings and threads have a field of this name, which the word does not mean.
  kind: 'classification',
  tone: 'sentiment.quotes.sentiment',
  median: 'p50',
  '90th percentile': 'p90',
  'time to first byte': 'ttfb_ms',
  'week of': 'offsite-mentions.week',
  found: 'found_at',
  search: 'query',
  'first card': 'cards',
  'mentions, by rank': 'mentions',
  'own average position': 'own_avg_position',
  'product data': 'channel_coverage.status',
  'on record': 'site-health.pages',
  ok: 'ok_pages',
  errors: 'error_pages',
  thread: 'community-threads.title',
  checked: 'community-threads.checked_at',
  video: 'video_id',
  channel: 'channel_name',
  'as of': 'stats_as_of',
  published: 'published_at',
  'tracked since': 'added_at',
  assistant: 'visitor-stats.source',
  'prompt ids': 'fanouts.prompts',
  run: 'run_id',
  place: 'position',
  rank: 'order',
  'own page': 'own_pages',
  '2nd to 4th': 'within_reach.answers',
  'if first': 'visibility_if_first',
  'led by': 'ahead',
  'cited there': 'cited',
  'most cited own page': 'own_pages',
};

/** What the API calls a word of the glossary. */
const fieldsOfWord = (word: string): readonly string[] =>
  Object.values<Term>(glossary).flatMap(({ label, api }) => (label === word ? api : []));

/** The first field that a word of the glossary means, where none of its fields has the name of the word. */
export const otherFieldOfWord = (word: string): string | undefined => {
  const fields = fieldsOfWord(wordsOf(word));
  return fields.includes(word) ? undefined : fields[0];
};

/** The field behind a head of a table that is not its own name. */
export const fieldBehind = (head: string): string | undefined => {
  const words = wordsOf(head);
  return Object.hasOwn(fieldsOfHeads, words) ? fieldsOfHeads[words] : undefined;
};

/** The names to look for a head of a table under: those of the glossary, else its words as a field is written. */
export function fieldsOfHead(head: string): string[] {
  const words = wordsOf(head);
  return [...fieldsOfWord(words), words, words.replace(/[\s-]+/g, '_')];
}

/** A head in lower case, without its scale. */
const wordsOf = (head: string): string =>
  head
    .toLowerCase()
    .replace(/\s*\([^()]*\)$/, '')
    .trim();
