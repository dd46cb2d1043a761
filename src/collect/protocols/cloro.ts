/**
 * The asynchronous tasks of cloro. https://docs.cloro.dev/guides/making-requests/async and the pages of each endpoint.
 * A task is kept for 24 hours. Its idempotency key can be used once: a repeat is refused, and names no task.
 */
import { z } from 'zod';
import type { EngineId } from '../../contract/engines.js';
import { escapeControls } from '../../contract/printable.js';
import { type Ad, bearer, type Carousel, maybe, type Reply } from './protocol.js';
import {
  adOf,
  answerOf,
  citationsOf,
  lacking,
  listOf,
  listOrUnread,
  nonEmpty,
  notShown,
  type Progress,
  type Provider,
  paid,
  placementsOf,
  price,
  type Question,
  resultId,
  type Shown,
  UNREAD,
  visible,
} from './provider.js';

const TASKS: { readonly [E in EngineId]?: string } = {
  chatgpt: 'CHATGPT',
  aio: 'GOOGLE',
  aimode: 'AIMODE',
  copilot: 'COPILOT',
  perplexity: 'PERPLEXITY',
  gemini: 'GEMINI',
  grok: 'GROK',
};

/** What costs more or is left out unless it is asked for. */
const included = ({ engine }: Question) => {
  if (engine === 'aio') return { aioverview: { markdown: true } };
  if (engine !== 'chatgpt') return { markdown: true };
  return { markdown: true, searchQueries: true, ads: true, shopping: true };
};

const text = maybe(z.string());
const source = z.object({ url: text, label: text });
const product = z.object({
  title: text,
  url: text,
  productLink: text,
  product_link: text,
  merchant: text,
  merchants: text,
  store: text,
  price,
});
/** A card of ChatGPT has products, one of Google is a product. */
const card = product.extend({ products: listOf(product) });
const inlineProduct = product.extend({ product: maybe(product) });
const adCard = z.object({
  title: text,
  body: text,
  description: text,
  url: text,
  image: text,
  thumbnail: text,
  store: text,
  domain: text,
  price,
  rendered: maybe(z.boolean()),
});
const brand = maybe(z.object({ name: text, url: text, favicon: text }));
const ad = adCard.extend({ brand, cards: listOf(adCard) });
const answer = z.object({
  text,
  markdown: text,
  model: text,
  sources: listOf(source),
  citationPills: listOf(source),
  searchQueries: listOf(z.string()),
  search_model_queries: listOf(z.string()),
  shoppingCards: listOrUnread(card),
  shopping_cards: listOrUnread(card),
  inlineProducts: listOrUnread(inlineProduct),
  inline_products: listOrUnread(inlineProduct),
  ads: z
    .union([
      listOf(ad),
      z.object({ ads: z.array(ad) }).transform(({ ads }) => ads),
      ad.transform((one) => [one]),
    ])
    .or(z.unknown().transform((): typeof UNREAD => UNREAD)),
});
type Body = z.infer<typeof answer>;
const page = z.object({ aioverview: answer.nullish() });

const task = z.object({
  task: z.object({ id: resultId, status: maybe(z.string()), error: z.unknown().optional() }),
  response: z.unknown().optional(),
});
const wrapped = z.object({ result: z.looseObject({}) });

const taskPath = (id: string): string => `/v1/async/task/${encodeURIComponent(id)}`;

export const cloro: Provider = {
  recover: 'repeat',

  submit(question) {
    const { engine, input, id, key } = question;
    const payload = {
      ...(engine === 'aio' ? { query: input.prompt } : { prompt: input.prompt }),
      country: input.country,
      include: included(question),
    };
    const body = { taskType: TASKS[engine], priority: 5, idempotencyKey: id, payload };
    return { path: '/v1/async/task', headers: bearer(key), body };
  },

  submitted(body) {
    return { kind: 'next', handle: task.parse(body).task.id };
  },

  fetch: (handle, { key }) => ({ path: taskPath(handle), headers: bearer(key), body: null }),

  fetched(body, _, question) {
    const data = task.parse(body);
    const { status, error } = data.task;
    if (status === 'COMPLETED') return { kind: 'done', reply: replyOf(data.response, question) };
    if (status === 'FAILED')
      return { kind: 'failed', charged: false, detail: failureIn(error ?? data.response) };
    return { kind: 'pending' };
  },

  status(status, body, isFetch): Progress | undefined {
    if (isFetch) {
      const isGone = status === 404 || status === 410;
      return isGone ? { kind: 'gone', detail: 'cloro has the task no longer' } : undefined;
    }
    if (status === 409) return { kind: 'gone', detail: 'cloro has the task, and does not name it' };
    if (status === 403 && body.includes('INSUFFICIENT_CREDITS'))
      return { kind: 'refused', why: 'credit', detail: 'the account has no credit' };
    return undefined;
  },
};

const failure = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
const failureIn = (error: unknown): string => {
  const said = z
    .union([failure, z.object({ error: failure }).transform((e) => e.error)])
    .safeParse(error).data;
  return `the task failed${said ? `: “${escapeControls(said.slice(0, 200))}”` : ''}`;
};

function replyOf(response: unknown, question: Question): Reply {
  const result = wrapped.safeParse(response).data?.result ?? response;
  const { row, engine } = question;
  if (engine !== 'aio') return shownAnswer(answer.parse(result), question);
  const { aioverview } = page.parse(result);
  if (aioverview === undefined) return lacking(['aioverview'], paid(1));
  return aioverview === null ? notShown(row, paid(1)) : shownAnswer(aioverview, question);
}

function shownAnswer(body: Body, { row, input }: Question): Reply {
  const { text: plain, markdown, sources, citationPills } = body;
  const cited = [...(citationPills ?? []), ...(sources ?? [])];
  return answerOf(
    {
      // The label of a link that the plain text lacks is the chip of a source.
      text: markdown ? visible(markdown, (label) => plain == null || plain.includes(label)) : plain,
      model: body.model,
      citations: sources === undefined ? undefined : citationsOf(cited, ({ url, label }) => [url, label]),
      // Perplexity's first query is the prompt.
      fanouts: (body.searchQueries ?? body.search_model_queries)?.filter((query) => query !== input.prompt),
      carousels: carouselsOf(body),
      ad: adsOf(body.ads),
      usage: paid(1),
    },
    row,
  );
}

type Product = z.infer<typeof product>;
const placements = (products: readonly Product[]) =>
  placementsOf(
    products.map((each) => ({
      name: each.title,
      url: each.url ?? each.productLink ?? each.product_link,
      price: each.price,
      merchant: each.merchant ?? each.merchants ?? each.store,
    })),
  );

/**
 * A carousel of each group of ChatGPT, one of all cards of Google, and one of the products in the text. Null: a list cannot
 * be read.
 */
function carouselsOf(body: Body): Carousel[] | null {
  const cards = body.shoppingCards ?? body.shopping_cards ?? [];
  const inline = body.inlineProducts ?? body.inline_products ?? [];
  if (cards === UNREAD || inline === UNREAD) return null;
  const groups = cards.flatMap(({ products }) => (products ? [products] : []));
  const single = cards.filter(({ products }) => products == null);
  const lists = [...groups, single, inline.map((each) => each.product ?? each)];
  const read = lists.filter((list) => list.length > 0).map(placements);
  return read.every((list) => list !== null) ? read.map((list) => ({ placements: list })) : null;
}

type AnyAd = z.infer<typeof ad>;

/** Undefined: none was shown. Null: there is one that cannot be read. */
function adsOf(ads: Body['ads']): Ad | null | undefined {
  if (ads === UNREAD) return null;
  const shown = (ads ?? []).filter(({ rendered }) => rendered !== false).map(shownAd);
  return shown.some(({ advertiser, cards }) => !advertiser && cards.length === 0) ? null : adOf(shown);
}

function shownAd({ brand: own, cards, ...single }: AnyAd): Shown {
  const advertiser = nonEmpty(own?.name) ?? nonEmpty(single.store) ?? nonEmpty(single.domain);
  const all = (own ? (cards ?? []) : [single]).filter(({ rendered }) => rendered !== false).map(cardOf);
  return {
    advertiser,
    url: nonEmpty(own?.url),
    favicon: nonEmpty(own?.favicon),
    cards: all.filter((each) => Object.keys(each).length > 0),
  };
}

function cardOf(each: z.infer<typeof adCard>) {
  const [title, body, url] = [
    nonEmpty(each.title),
    nonEmpty(each.body) ?? nonEmpty(each.description),
    nonEmpty(each.url),
  ];
  const image = nonEmpty(each.image) ?? nonEmpty(each.thumbnail);
  return {
    ...(title && { title }),
    ...(body && { body }),
    ...(url && { target_url: url }),
    ...(image && { image_url: image }),
  };
}
