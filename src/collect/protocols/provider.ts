/**
 * The form of a provider of answers as people see them: a question is put once, and its result is fetched until it is
 * there. A provider is one file next to this one, one row of capabilities.ts and one entry in index.ts. The second half of
 * this file is what they share.
 */
import { z } from 'zod';
import type { EngineId } from '../../contract/engines.js';
import type { HttpRequest } from '../../server/base/vendor-request.js';
import { type Capability, observed } from './capabilities.js';
import {
  type Ad,
  type Answer,
  answered,
  type Carousel,
  type Citation,
  citationOf,
  type EngineInput,
  maybe,
  type Placement,
  type Reply,
  type Usage,
} from './protocol.js';

/** What a plan states about a target of a provider. */
export interface ProviderSettings {
  /** One call that waits for the answer, instead of a queue. */
  readonly live: boolean;
  /** How long a collection waits for the queue. */
  readonly waitMinutes: number;
  /** Two letters, or a language with its place. */
  readonly language: string;
  /** For Bright Data only: the zone of result pages, and a data set other than the usual one. */
  readonly zone: string | null;
  readonly dataset: string | null;
}

/** One question. */
export interface Question {
  readonly engine: EngineId;
  readonly row: Capability;
  readonly input: EngineInput;
  readonly settings: ProviderSettings;
  /** The id of the paid call: equal whenever the call is sent again, different for each new call. */
  readonly id: string;
  readonly key: string | null;
}

/** What is known about a question after a response. `handle` names what is fetched next; the journal keeps it. */
export type Progress =
  | { readonly kind: 'pending' }
  /** The question was accepted, or what is to be fetched now has another name. */
  | { readonly kind: 'next'; readonly handle: string }
  | { readonly kind: 'done'; readonly reply: Reply }
  /** The question was paid, and its result cannot be fetched any more. */
  | { readonly kind: 'gone'; readonly detail: string }
  /** The question failed. `costUsd` is omitted if the provider does not state it. */
  | { readonly kind: 'failed'; readonly charged: boolean; readonly detail: string; readonly costUsd?: number }
  /** The provider has never received it. */
  | { readonly kind: 'absent' }
  /** The question was not accepted, and not charged. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly detail: string };

export type Refusal = 'rate_limit' | 'credit' | 'key' | 'request';

export interface Provider {
  /** The first request, which is the one that costs. */
  submit(question: Question): HttpRequest;
  /** @throws ZodError for a body of another shape. */
  submitted(body: unknown, question: Question): Progress;
  fetch(handle: string, question: Question): HttpRequest;
  /** @throws ZodError for a body of another shape. */
  fetched(body: unknown, handle: string, question: Question): Progress;
  /**
   * The handle of a look-up of a question that may have been sent; `repeat`: it is sent again with the same id, which
   * cannot be paid twice. Undefined: neither is possible, so it counts as sent and without a result.
   * @param sentAt ISO time of the attempt.
   */
  readonly recover?: 'repeat' | ((sentAt: string) => string);
  /** What a status other than 2xx means, where it differs from other vendors. */
  status?(status: number, body: string, isFetch: boolean): Progress | undefined;
}

// What the answers of providers have in common.

/** A list that may be null; `undefined` is a field that is not there. */
export const listOf = <S extends z.ZodType>(schema: S) => z.array(schema).nullish();

/** What a provider calls a task, a snapshot or a search; it becomes a part of an address. */
export const resultId = z.string().regex(/^[\w.:~-]{1,200}$/);

/** Stands for a list that has an unexpected form. */
export const UNREAD = 'unread';
/** A list as `listOf` reads it; another form makes only this list unreadable, not the answer. */
export const listOrUnread = <S extends z.ZodType>(schema: S) =>
  listOf(schema).or(z.unknown().transform((): typeof UNREAD => UNREAD));

/** A provider counts no tokens. */
export const paid = (calls: number, costUsd: number | null = null): Usage => ({
  input: 0,
  output: 0,
  searches: calls,
  costUsd,
});

/** What a reply has, before it is compared with the row of its engine. `undefined`: it has no such field. */
export interface Found {
  readonly text: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly citations: readonly Citation[] | null | undefined;
  readonly fanouts?: readonly string[] | null | undefined;
  /** Null: the reply has some that cannot be read. */
  readonly carousels?: readonly Carousel[] | null;
  /** Null: the reply has one that cannot be read. */
  readonly ad?: Ad | null | undefined;
  readonly usage: Usage;
}

/** The answer of a reply, or what it lacks of the fields that the row promises. */
export function answerOf(found: Found, row: Capability): Reply {
  const { usage, text, citations } = found;
  const lacks = [
    ...(text === undefined ? ['text'] : []),
    ...(row.citations === 'always' && citations === undefined ? ['citations'] : []),
    ...(row.searches === 'always' && found.fanouts === undefined ? ['searches'] : []),
  ];
  if (lacks.length > 0) return lacking(lacks, usage);
  const fanouts =
    row.searches === 'never' ? [] : (found.fanouts ?? []).filter((query) => query.trim() !== '');
  return answered(
    {
      text: text ?? '',
      model: found.model || null,
      citations: onePerPage(citations ?? []),
      fanouts,
      ...productsOf(found, row),
    },
    usage,
  );
}

/** The fields that a reply must have are not there: the provider has changed its form. */
export const lacking = (fields: readonly string[], usage: Usage): Reply => ({
  kind: 'malformed',
  detail: `the reply lacks ${fields.join(' and ')}: the provider may have changed its form`,
  usage,
});

/** What could not be read counts as not observed. */
function productsOf(
  { ad, carousels }: Found,
  row: Capability,
): Pick<Answer, 'observes' | 'carousels' | 'ad'> {
  const unread = { ads: ad === null, carousels: carousels === null };
  const observes = observed(row).filter((each) => !unread[each]);
  const shown = (carousels ?? []).filter(({ placements }) => placements.length > 0);
  return {
    observes,
    ...(observes.includes('carousels') && shown.length > 0 && { carousels: shown }),
    ...(observes.includes('ads') && ad && { ad }),
  };
}

/** The engine was asked, and showed nothing. */
export const notShown = (row: Capability, usage: Usage): Reply => ({
  kind: 'not_shown',
  answer: { text: '', model: null, citations: [], fanouts: [], observes: observed(row) },
  usage,
});

const WEB = /^https?:\/\//i;

/** Each page once, in the order in which it is first cited. */
function onePerPage(citations: readonly Citation[]): Citation[] {
  const pages = new Map<string, Citation>();
  for (const citation of citations) {
    if (WEB.test(citation.url) && !pages.has(citation.url)) pages.set(citation.url, citation);
  }
  return [...pages.values()];
}

/** The citations of entries that name a page. */
export const citationsOf = <T>(
  entries: readonly T[],
  page: (entry: T) => readonly [url: string | null | undefined, title?: string | null | undefined],
): Citation[] =>
  entries.flatMap((entry) => {
    const [url, title] = page(entry);
    return url ? [citationOf(url, title?.trim())] : [];
  });

const LINK = /(!?)\[([^[\]]{0,500})\]\(([^()\s]{0,2000})\)/g;

/**
 * The words of Markdown that a person sees: links without their addresses, and no images.
 * @param isText Whether the label of a link is a part of the text; a chip of a source is none.
 */
export const visible = (markdown: string, isText: (label: string) => boolean = () => true): string =>
  markdown
    .replace(LINK, (_, image: string, label: string) => (image === '!' || !isText(label) ? '' : label))
    .trim();

// Products and prices.

/** Text, a number, or both in an object. */
export const price = maybe(
  z.union([
    z.string(),
    z.number(),
    z.object({
      raw: maybe(z.string()),
      value: maybe(z.union([z.number(), z.string()])),
      current: maybe(z.number()),
      displayed_price: maybe(z.string()),
      currency: maybe(z.string()),
    }),
  ]),
).catch(null);
type Price = z.infer<typeof price>;

interface Product {
  readonly name: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly merchant?: string | null | undefined;
  readonly price?: Price;
}

/** A placement of each product, in their order; null: one of them has no name. */
export function placementsOf(products: readonly Product[]): Placement[] | null {
  const placements = products.map(({ name, url, merchant, price: stated }, at): Placement | null =>
    name == null || name.trim() === ''
      ? null
      : {
          slot: at + 1,
          product: name.trim(),
          ...(url && WEB.test(url) && { url }),
          ...(merchant && { merchant }),
          ...pricesOf(stated),
        },
  );
  return placements.every((each) => each !== null) ? placements : null;
}

const CODES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };
const currencyOf = (text: string | null | undefined): string | undefined => {
  const sign = text?.trim() ?? '';
  return CODES[sign] ?? (/^[A-Z]{3}$/.test(sign) ? sign : undefined);
};
/** A sign, and a number in the way of writing of English. */
const WRITTEN = /^([$€£¥₹])\s?(\d{1,3}(?:,\d{3}){0,3}|\d{1,9})(\.\d{1,2})?$/;

function pricesOf(stated: Price): Pick<Placement, 'price' | 'price_amount' | 'currency'> {
  if (stated == null) return {};
  if (typeof stated === 'number') return { price: String(stated), price_amount: stated };
  if (typeof stated === 'string') return writtenPrice(stated.trim());
  const amount = stated.current ?? (typeof stated.value === 'number' ? stated.value : undefined);
  const shown =
    stated.raw ??
    stated.displayed_price ??
    (amount === undefined ? undefined : shownPrice(amount, stated.currency));
  const currency = currencyOf(stated.currency);
  return {
    ...(shown && writtenPrice(shown)),
    ...(amount !== undefined && { price_amount: amount }),
    ...(currency && { currency }),
  };
}

const shownPrice = (amount: number, currency: string | null | undefined): string =>
  `${currency && currency.length === 1 ? currency : ''}${amount}${currency && currency.length > 1 ? ` ${currency}` : ''}`;

function writtenPrice(text: string): Pick<Placement, 'price' | 'price_amount' | 'currency'> {
  if (text === '') return {};
  const [, sign, whole, part = ''] = WRITTEN.exec(text) ?? [];
  if (whole === undefined) return { price: text };
  return {
    price: text,
    price_amount: Number(whole.replaceAll(',', '') + part),
    ...(currencyOf(sign) && { currency: currencyOf(sign)! }),
  };
}

/** Text that is there. */
export const nonEmpty = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

/** An advertisement; only one that was shown counts. */
export interface Shown {
  readonly advertiser?: string | undefined;
  readonly url?: string | undefined;
  readonly favicon?: string | undefined;
  readonly cards: readonly { title?: string; body?: string; target_url?: string; image_url?: string }[];
}

/** The first advertiser with all of its cards; undefined: no advertisement was shown. */
export function adOf(shown: readonly Shown[]): Ad | undefined {
  const [first] = shown;
  if (!first) return undefined;
  const own = shown.filter(({ advertiser }) => advertiser === first.advertiser);
  return {
    ...(first.advertiser && { advertiser: first.advertiser }),
    ...(first.url && { advertiser_url: first.url }),
    ...(first.favicon && { favicon_url: first.favicon }),
    cards: own.flatMap(({ cards }) => cards),
  };
}
