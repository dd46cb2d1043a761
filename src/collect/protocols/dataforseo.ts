/**
 * The result pages and the scrapers of DataForSEO. https://docs.dataforseo.com/v3/serp/overview and
 * https://docs.dataforseo.com/v3/ai_optimization/overview. A response has status 200 whatever happened: what happened is in
 * the task. A posted task is charged, kept for 30 days, and found by its tag.
 */
import { z } from 'zod';
import type { EngineId } from '../../contract/engines.js';
import { escapeControls } from '../../contract/printable.js';
import type { HttpRequest } from '../../server/base/vendor-request.js';
import { placeOf } from './countries.js';
import { type Ad, amount, type Carousel, maybe, type Reply } from './protocol.js';
import {
  adOf,
  answerOf,
  citationsOf,
  type Found,
  lacking,
  listOf,
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
  visible,
} from './provider.js';

const PATHS: { readonly [E in EngineId]?: string } = {
  aimode: '/serp/google/ai_mode',
  aio: '/serp/google/organic',
  chatgpt: '/ai_optimization/chat_gpt/llm_scraper',
  gemini: '/ai_optimization/gemini/llm_scraper',
};
const pathOf = ({ engine }: Question): string => PATHS[engine]!;
/** Where the tasks of its part of the API are listed. */
const listOfTasks = (question: Question): string => `/${pathOf(question).split('/')[1]}/id_list`;

const OK = 20_000;
const CREATED = 20_100;
const PENDING = [40_601, 40_602];
const BUSY = [40_202, 40_209];
const NO_CREDIT = [40_200, 40_201, 40_203, 40_210];
const WRONG_KEY = [40_100, 40_104, 40_207];
const NO_RESULTS = 40_102;
const GONE = [40_400, 40_401, 40_403];
/** Errors of the request itself; those of the task begin with 401 and 50. */
const isOfRequest = (code: number): boolean => /^40[03-5]/.test(String(code));

const text = maybe(z.string());
const source = z.object({ url: text, title: text });
const product = z.object({
  title: text,
  url: text,
  seller: text,
  merchants: text,
  domain: text,
  price,
});
/** What every kind of element may have. */
const element = z.object({
  type: z.string(),
  title: text,
  url: text,
  text,
  markdown: text,
  snippet: text,
  description: text,
  domain: text,
  website_name: text,
  brand: text,
  favicon: text,
  advertiser: maybe(z.object({ name: text, url: text, favicon_url: text })).catch(null),
  is_rendered: maybe(z.boolean()),
  asynchronous_ai_overview: maybe(z.boolean()),
  references: listOf(source),
  items: z.array(z.looseObject({})).nullish(),
});
type Element = z.infer<typeof element>;
/** An entry of an element may have no type. */
const entry = element.partial();
const result = z.object({
  markdown: text,
  model: text,
  sources: listOf(source),
  fan_out_queries: listOf(z.string()),
  items: listOf(element),
});
type Result = z.infer<typeof result>;
const listed = z.object({ id: resultId, cost: amount, metadata: maybe(z.looseObject({ tag: text })) });
const task = z.object({
  id: maybe(resultId).catch(null),
  status_code: z.number(),
  status_message: text,
  cost: amount,
  result: maybe(z.array(z.unknown())),
});
type Task = z.infer<typeof task>;
const envelope = z.object({
  status_code: z.number(),
  status_message: text,
  tasks: maybe(z.array(task)),
});

/** What names a result: a task that costs this much, or the time since when it is looked for. */
const handleShape = z.union([
  z.object({ id: z.string(), cost: z.number().nullable() }),
  z.object({ since: z.string() }),
]);

const basic = (key: string | null): Record<string, string> =>
  key === null ? {} : { Authorization: `Basic ${Buffer.from(key).toString('base64')}` };

const post = (path: string, { key }: Question, body: object): HttpRequest => ({
  path,
  headers: basic(key),
  body: [body],
});

/** `%` and `+` are decoded on the other side. */
const keyword = (prompt: string): string => prompt.replaceAll('%', '%25').replaceAll('+', '%2B');

/** The time in the form that the list of tasks expects. */
const timeOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} +00:00`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const dataforseo: Provider = {
  recover: (sentAt) => JSON.stringify({ since: sentAt }),

  submit(question) {
    const { engine, input, settings, id } = question;
    const body = {
      keyword: keyword(input.prompt),
      location_code: placeOf(input.country ?? ''),
      language_code: settings.language,
      tag: id,
      ...(engine === 'aio' && { load_async_ai_overview: true, depth: 10 }),
      ...(engine === 'chatgpt' && { force_web_search: true }),
    };
    return post(`${pathOf(question)}/${settings.live ? 'live/advanced' : 'task_post'}`, question, body);
  },

  submitted(body, question) {
    const first = onlyTask(body);
    if ('kind' in first) return first;
    if (first.status_code !== CREATED) return unaccepted(ended(first, question, first.cost ?? null));
    if (!first.id) return { kind: 'failed', charged: true, detail: 'the posted task has no id' };
    return { kind: 'next', handle: JSON.stringify({ id: first.id, cost: first.cost ?? null }) };
  },

  fetch(handle, question) {
    const named = handleShape.parse(JSON.parse(handle));
    if ('id' in named) {
      const path = `${pathOf(question)}/task_get/advanced/${encodeURIComponent(named.id)}`;
      return { path, headers: basic(question.key), body: null };
    }
    const from = Date.parse(named.since);
    return post(listOfTasks(question), question, {
      datetime_from: timeOf(from - MINUTE_MS),
      datetime_to: timeOf(from + DAY_MS),
      limit: 1000,
      sort: 'asc',
      include_metadata: true,
    });
  },

  fetched(body, handle, question) {
    const named = handleShape.parse(JSON.parse(handle));
    const first = onlyTask(body);
    if ('kind' in first) return first;
    return 'id' in named ? ended(first, question, named.cost) : found(first, question);
  },
};

/** The task of a response, or why there is none. */
function onlyTask(body: unknown): Task | Progress {
  const { status_code, status_message, tasks } = envelope.parse(body);
  if (tasks?.[0]) return tasks[0];
  return failureOf({ status_code, status_message, id: null, cost: 0, result: null }, 0);
}

/** What is not found when a question is posted is an address, not its result. */
const unaccepted = (step: Progress): Progress =>
  step.kind === 'gone' ? { kind: 'refused', why: 'request', detail: step.detail } : step;

/** The posted task with the tag of the question. */
function found(list: Task, { id: tag }: Question): Progress {
  if (list.status_code !== OK) return failureOf(list, 0);
  const tasks = (list.result ?? []).flatMap((each) => listed.safeParse(each).data ?? []);
  const own = tasks.find(({ metadata }) => metadata?.tag === tag);
  if (!own) return { kind: 'absent' };
  return { kind: 'next', handle: JSON.stringify({ id: own.id, cost: own.cost ?? null }) };
}

/** @param cost What was charged when it was posted; null: not known. */
function ended(own: Task, question: Question, cost: number | null): Progress {
  const { status_code } = own;
  if (PENDING.includes(status_code)) return { kind: 'pending' };
  if (status_code === OK) return { kind: 'done', reply: replyOf(own, question, cost) };
  if (status_code === NO_RESULTS && question.engine === 'aio')
    return { kind: 'done', reply: notShown(question.row, paid(1, cost)) };
  return failureOf(own, cost);
}

function failureOf({ status_code, status_message }: Task, cost: number | null): Progress {
  const said = status_message ? `: “${escapeControls(status_message.slice(0, 200))}”` : '';
  const detail = `DataForSEO ${status_code}${said}`;
  if (BUSY.includes(status_code)) return { kind: 'refused', why: 'rate_limit', detail };
  if (NO_CREDIT.includes(status_code)) return { kind: 'refused', why: 'credit', detail };
  if (WRONG_KEY.includes(status_code)) return { kind: 'refused', why: 'key', detail };
  if (GONE.includes(status_code)) return { kind: 'gone', detail };
  if (isOfRequest(status_code)) return { kind: 'refused', why: 'request', detail };
  return { kind: 'failed', charged: cost !== 0, detail, ...(cost !== null && { costUsd: cost }) };
}

function replyOf(own: Task, question: Question, cost: number | null): Reply {
  const { row, engine } = question;
  const usage = paid(1, cost);
  const [first] = own.result ?? [];
  if (first == null) return lacking(['result'], usage);
  const shown = result.parse(first);
  if (engine !== 'aio' && engine !== 'aimode') return answerOf({ ...scraped(shown), usage }, row);
  if (shown.items === undefined) return lacking(['items'], usage);
  const overview = shown.items?.find(({ type }) => type === 'ai_overview');
  if (!overview) return engine === 'aio' ? notShown(row, usage) : lacking(['ai_overview'], usage);
  return answerOf({ ...overviewOf(overview, shown), usage }, row);
}

type Parts = Omit<Found, 'usage'>;

/** The answer of ChatGPT or Gemini. Its search results were shown to the model, and are not cited. */
function scraped({ markdown, model, sources, fan_out_queries, items }: Result): Parts {
  const all = items ?? [];
  return {
    text: markdown == null ? markdown : visible(markdown),
    model,
    fanouts: fan_out_queries,
    citations: sources && citationsOf(sources, ({ url, title }) => [url, title]),
    carousels: carouselsOf(all.filter(({ type }) => type.endsWith('_products'))),
    ad: adsOf(all.filter(({ type }) => type.endsWith('_ad'))),
  };
}

/** An overview, whose elements repeat its references. */
function overviewOf(overview: Element, { items, model }: Result): Parts {
  const elements = (overview.items ?? []).flatMap((each) => element.safeParse(each).data ?? []);
  const parts = elements.map((each) => each.markdown ?? each.text ?? '').filter(Boolean);
  const isLoaded = overview.markdown != null || parts.length > 0;
  const inner = [...elements, ...(items ?? [])];
  return {
    text: isLoaded ? visible(overview.markdown ?? parts.join('\n\n')) : undefined,
    model,
    fanouts: null,
    citations: overview.references && citationsOf(overview.references, ({ url, title }) => [url, title]),
    carousels: carouselsOf(inner.filter(({ type }) => type === 'ai_overview_shopping')),
    ad: adsOf(inner.filter(({ type }) => type === 'ai_overview_paid')),
  };
}

/** A carousel of each element. Null: one has products that cannot be read. */
function carouselsOf(elements: readonly Element[]): Carousel[] | null {
  const read = elements.map(({ items }) => {
    const products = (items ?? []).map((each) => product.safeParse(each).data ?? { title: null });
    return placementsOf(
      products.map((each) => ({
        name: each.title,
        ...('url' in each && {
          url: each.url,
          price: each.price,
          merchant: each.seller ?? each.merchants ?? each.domain,
        }),
      })),
    );
  });
  return read.every((each) => each !== null) ? read.map((placements) => ({ placements })) : null;
}

/** Undefined: none was shown. Null: there is one that cannot be read. */
function adsOf(elements: readonly Element[]): Ad | null | undefined {
  const single = elements
    .filter(({ is_rendered }) => is_rendered !== false)
    .flatMap((each): object[] => {
      // The cards of one advertiser do not name it again.
      const { items, advertiser } = each;
      return items?.length ? items.map((card) => ({ ...(advertiser && { advertiser }), ...card })) : [each];
    })
    .map((each) => entry.safeParse(each).data)
    .filter((each) => each?.is_rendered !== false);
  const shown = single.flatMap((each) => (each ? [shownAd(each)] : []));
  const isRead =
    shown.length === single.length && shown.every(({ advertiser, cards }) => advertiser || cards.length);
  return isRead ? adOf(shown) : null;
}

function shownAd(each: z.infer<typeof entry>): Shown {
  const { advertiser } = each;
  const [title, url] = [nonEmpty(each.title), nonEmpty(each.url)];
  const body = nonEmpty(each.description) ?? nonEmpty(each.snippet) ?? nonEmpty(each.text);
  const card = { ...(title && { title }), ...(body && { body }), ...(url && { target_url: url }) };
  return {
    advertiser:
      nonEmpty(advertiser?.name) ??
      nonEmpty(each.brand) ??
      nonEmpty(each.website_name) ??
      nonEmpty(each.domain),
    url: nonEmpty(advertiser?.url) ?? url,
    favicon: nonEmpty(advertiser?.favicon_url) ?? nonEmpty(each.favicon),
    cards: Object.keys(card).length > 0 ? [card] : [],
  };
}
