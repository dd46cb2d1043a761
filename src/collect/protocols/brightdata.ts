/**
 * The data sets of Bright Data, and its result pages. https://docs.brightdata.com/api-reference/scrapers and
 * https://docs.brightdata.com/scraping-automation/serp-api. A snapshot that was triggered is fetched by its id; nothing finds
 * one whose id is not known.
 */
import { z } from 'zod';
import type { EngineId } from '../../contract/engines.js';
import { escapeControls } from '../../contract/printable.js';
import { bearer, type Carousel, maybe, type Reply } from './protocol.js';
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
  visible,
} from './provider.js';
import { textBlock, textOf } from './text-blocks.js';

interface DataSet {
  readonly id: string;
  /** The page that the prompt is put to. */
  readonly url: string;
}

const DATA_SETS: { readonly [E in EngineId]?: DataSet } = {
  chatgpt: { id: 'gd_m7aof0k82r803d5bjm', url: 'https://chatgpt.com/' },
  perplexity: { id: 'gd_m7dhdot1vw9a7gc1n', url: 'https://www.perplexity.ai/' },
  copilot: { id: 'gd_m7di5jy6s9geokz8w', url: 'https://copilot.microsoft.com/chats' },
  gemini: { id: 'gd_mbz66arm2mf9cu856y', url: 'https://gemini.google.com/' },
  aimode: { id: 'gd_mcswdt6z2elth3zqr2', url: 'https://google.com/aimode' },
};

const text = maybe(z.string());
const cited = z.union([z.string(), z.object({ url: text, title: text, text, cited: maybe(z.boolean()) })]);
const product = z.object({
  title: text,
  name: text,
  url: text,
  link: text,
  merchant: text,
  seller: text,
  price,
});
const record = z.object({
  answer_text_markdown: text,
  answer_text: text,
  model: text,
  error: text,
  error_code: text,
  citations: listOf(cited),
  links_attached: listOf(cited),
  web_search_query: listOf(z.string()),
  shopping: listOrUnread(product),
});
type Row = z.infer<typeof record>;
const rows = z.array(record);
const triggered = z.object({ snapshot_id: resultId });
const progress = z.object({ status: z.string() });
const resultPage = z.looseObject({
  general: z.unknown().optional(),
  organic: z.unknown().optional(),
  ai_overview: maybe(
    z.object({
      texts: listOf(textBlock),
      references: listOf(z.object({ href: text, url: text, title: text })),
    }),
  ),
});

const FAILED = ['failed', 'error', 'cancelled', 'canceled'];

const dataSetOf = ({ engine, settings }: Question): string => settings.dataset ?? DATA_SETS[engine]!.id;

/** What names a result: a snapshot that is being made, or one that is ready. */
const snapshot = (id: string, isReady: boolean): string => JSON.stringify({ id, isReady });
const handleShape = z.object({ id: z.string(), isReady: z.boolean() });

export const brightdata: Provider = {
  submit(question) {
    const { engine, input, settings, key } = question;
    const headers = bearer(key);
    const country = (input.country ?? '').toLowerCase();
    if (engine === 'aio') {
      const query = new URLSearchParams({ q: input.prompt, gl: country, hl: settings.language });
      const url = `https://www.google.com/search?${query}&brd_json=1&brd_ai_overview=2`;
      return { path: '/request', headers, body: { zone: settings.zone, url, method: 'GET', format: 'raw' } };
    }
    const query = new URLSearchParams({
      dataset_id: dataSetOf(question),
      format: 'json',
      include_errors: 'true',
    });
    const asked = {
      url: DATA_SETS[engine]!.url,
      prompt: input.prompt,
      country: country.toUpperCase(),
      index: 1,
      ...(engine === 'chatgpt' && { web_search: true }),
    };
    return { path: `/datasets/v3/${settings.live ? 'scrape' : 'trigger'}?${query}`, headers, body: [asked] };
  },

  submitted(body, question) {
    if (question.engine === 'aio') return { kind: 'done', reply: overviewOf(body, question) };
    const named = triggered.safeParse(body).data;
    if (named) return { kind: 'next', handle: snapshot(named.snapshot_id, false) };
    // A call that did not take long has its answer at once.
    if (question.settings.live) return recordOf(Array.isArray(body) ? body : [body], question);
    return { kind: 'failed', charged: true, detail: 'the response names no snapshot' };
  },

  fetch(handle, { key }) {
    const { id, isReady } = handleShape.parse(JSON.parse(handle));
    const name = encodeURIComponent(id);
    const path = isReady ? `/datasets/v3/snapshot/${name}?format=json` : `/datasets/v3/progress/${name}`;
    return { path, headers: bearer(key), body: null };
  },

  fetched(body, handle, question) {
    const { id, isReady } = handleShape.parse(JSON.parse(handle));
    if (isReady) return Array.isArray(body) ? recordOf(body, question) : notYet(body);
    const { status } = progress.parse(body);
    if (status === 'ready') return { kind: 'next', handle: snapshot(id, true) };
    if (!FAILED.includes(status)) return { kind: 'pending' };
    return { kind: 'failed', charged: false, detail: `the snapshot is ${escapeControls(status)}` };
  },

  status(status, _, isFetch): Progress | undefined {
    if (!isFetch || (status !== 404 && status !== 410)) return undefined;
    return { kind: 'gone', detail: 'Bright Data has the snapshot no longer' };
  },
};

/** A snapshot that is being written answers with its state. */
const notYet = (body: unknown): Progress =>
  progress.safeParse(body).success ? { kind: 'pending' } : recordOf([body], undefined);

function recordOf(body: readonly unknown[], question: Question | undefined): Progress {
  const [first] = rows.parse(body);
  if (!first || !question) return { kind: 'done', reply: lacking(['the answer'], paid(1)) };
  const failure = first.error ?? first.error_code;
  if (failure && !first.answer_text_markdown && !first.answer_text) {
    const detail = `the record failed: “${escapeControls(failure.slice(0, 200))}”`;
    return { kind: 'failed', charged: false, detail };
  }
  return { kind: 'done', reply: replyOf(first, question) };
}

function replyOf(row: Row, { row: promised, engine }: Question): Reply {
  const { answer_text_markdown: markdown, answer_text, model, citations, links_attached } = row;
  const pages = [...(citations ?? []), ...(links_attached ?? [])];
  const isCited = (each: (typeof pages)[number]) => typeof each === 'string' || each.cited !== false;
  return answerOf(
    {
      text: markdown == null ? answer_text : visible(markdown),
      model,
      fanouts: row.web_search_query,
      citations:
        citations === undefined
          ? undefined
          : citationsOf(pages.filter(isCited), (each) =>
              typeof each === 'string' ? [each] : [each.url, each.title ?? each.text],
            ),
      carousels: engine === 'chatgpt' ? carouselsOf(row.shopping) : [],
      usage: paid(1),
    },
    promised,
  );
}

function carouselsOf(shopping: Row['shopping']): Carousel[] | null {
  if (shopping === UNREAD) return null;
  const placements = placementsOf(
    (shopping ?? []).map((each) => ({
      name: each.title ?? each.name,
      url: each.url ?? each.link,
      price: each.price,
      merchant: each.merchant ?? each.seller,
    })),
  );
  return placements && [{ placements }];
}

/** What a page adds to the titles of its links. */
const NOISE = /\.? Opens in (?:a )?new tab\.?$/;

function overviewOf(body: unknown, { row }: Question): Reply {
  const { general, organic, ai_overview: overview } = resultPage.parse(body);
  if (general === undefined && organic === undefined) return lacking(['the result page'], paid(1));
  if (overview == null) return notShown(row, paid(1));
  const { texts, references } = overview;
  return answerOf(
    {
      text: texts && textOf(texts),
      citations:
        references &&
        citationsOf(references, ({ href, url, title }) => [href ?? url, title?.replace(NOISE, '')]),
      usage: paid(1),
    },
    row,
  );
}
