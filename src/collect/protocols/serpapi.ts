/**
 * The searches of SerpApi. https://serpapi.com/ai-overview, https://serpapi.com/google-ai-mode-api and
 * https://serpapi.com/search-archive-api. Equal searches within an hour are answered from a cache, free: a search that is
 * sent again is not paid again, but further samples need a live call, which names nothing that can be fetched later.
 * The key is in the query of each address, so that an address is never shown.
 */
import { z } from 'zod';
import { escapeControls } from '../../contract/printable.js';
import type { HttpRequest } from '../../server/base/vendor-request.js';
import { type Carousel, maybe, type Reply } from './protocol.js';
import {
  answerOf,
  citationsOf,
  lacking,
  listOf,
  listOrUnread,
  notShown,
  type Progress,
  type Provider,
  paid,
  placementsOf,
  price,
  type Question,
  resultId,
  UNREAD,
} from './provider.js';
import { textBlock, textOf } from './text-blocks.js';

const text = maybe(z.string());
const reference = z.object({ link: text, title: text });
const product = z.object({
  title: text,
  link: text,
  product_link: text,
  source: text,
  price,
  extracted_price: maybe(z.number()),
});
const answer = z.object({ text_blocks: listOf(textBlock), references: listOf(reference) });
const overview = answer.extend({ page_token: text, error: text });
const search = answer.extend({
  search_metadata: maybe(z.object({ id: maybe(resultId).catch(null), status: text })),
  error: text,
  ai_overview: maybe(overview),
  shopping_results: listOrUnread(product),
});
type Search = z.infer<typeof search>;

/** What names a result: a search of the archive, or the token of an overview that takes a search of its own. */
const handleShape = z.union([z.object({ id: z.string() }), z.object({ token: z.string() })]);

/** Google names one country differently. */
const placeOf = (country: string): string => (country === 'GB' ? 'uk' : country.toLowerCase());

const withKey = (path: string, query: Record<string, string>, key: string | null): HttpRequest => {
  const stated = new URLSearchParams({ ...query, ...(key !== null && { api_key: key }) });
  return { path: `${path}?${stated}`, headers: {}, body: null };
};

export const serpapi: Provider = {
  recover: 'repeat',

  submit({ engine, input, settings, key }) {
    const query = {
      engine: engine === 'aio' ? 'google' : 'google_ai_mode',
      q: input.prompt,
      gl: placeOf(input.country ?? ''),
      hl: settings.language,
      ...(settings.live ? { no_cache: 'true' } : { async: 'true' }),
    };
    return withKey('/search.json', query, key);
  },

  submitted(body, question) {
    const data = search.parse(body);
    const { id } = data.search_metadata ?? {};
    if (question.settings.live) return ended(data, question, 1);
    return id
      ? { kind: 'next', handle: JSON.stringify({ id }) }
      : { kind: 'failed', charged: true, detail: 'the response names no search' };
  },

  fetch(handle, { key }) {
    const named = handleShape.parse(JSON.parse(handle));
    if ('id' in named) return withKey(`/searches/${encodeURIComponent(named.id)}.json`, {}, key);
    return withKey('/search.json', { engine: 'google_ai_overview', page_token: named.token }, key);
  },

  fetched(body, handle, question) {
    const named = handleShape.parse(JSON.parse(handle));
    return ended(search.parse(body), question, 'id' in named ? 1 : 2);
  },

  status(status, body, isFetch): Progress | undefined {
    if (status === 429 && /run out of searches/i.test(body))
      return { kind: 'refused', why: 'credit', detail: 'the account has run out of searches' };
    if (!isFetch || (status !== 404 && status !== 410)) return undefined;
    return { kind: 'gone', detail: 'SerpApi has the search no longer' };
  },
};

const WAITING = ['Queued', 'Processing'];

/** @param calls Those that were paid for the answer. */
function ended(data: Search, question: Question, calls: number): Progress {
  const { status } = data.search_metadata ?? {};
  if (status && WAITING.includes(status)) return { kind: 'pending' };
  if (status === 'Error')
    return { kind: 'failed', charged: calls > 1, detail: withReason('the search', data.error) };
  if (question.engine !== 'aio') return { kind: 'done', reply: aiModeOf(data, question) };
  const { ai_overview: shown, error } = data;
  const usage = paid(calls);
  if (shown?.error || (calls > 1 && shown == null)) {
    return { kind: 'failed', charged: true, detail: withReason('the overview', shown?.error ?? error) };
  }
  if (shown == null) return { kind: 'done', reply: notShown(question.row, usage) };
  if (shown.page_token && !shown.text_blocks)
    return calls > 1
      ? { kind: 'done', reply: lacking(['text'], usage) }
      : { kind: 'next', handle: JSON.stringify({ token: shown.page_token }) };
  return { kind: 'done', reply: answerOf({ ...answerIn(shown), usage }, question.row) };
}

const withReason = (what: string, error: string | null | undefined): string =>
  `${what} failed${error ? `: “${escapeControls(error.slice(0, 200))}”` : ''}`;

const answerIn = ({ text_blocks, references }: z.infer<typeof answer>) => ({
  text: text_blocks && textOf(text_blocks),
  citations: references && citationsOf(references, ({ link, title }) => [link, title]),
});

const aiModeOf = (data: Search, { row }: Question): Reply =>
  answerOf({ ...answerIn(data), carousels: carouselsOf(data.shopping_results), usage: paid(1) }, row);

function carouselsOf(shopping: Search['shopping_results']): Carousel[] | null {
  if (shopping === UNREAD) return null;
  const placements = placementsOf(
    (shopping ?? []).map((each) => ({
      name: each.title,
      url: each.product_link ?? each.link,
      merchant: each.source,
      price: each.price ?? each.extracted_price,
    })),
  );
  return placements && [{ placements }];
}
