/** The forms in which providers state an answer, made from their documents. */
import type { EngineId } from '../../../src/contract/engines.js';

/** An answer as a person sees it. */
export interface Seen {
  /** Undefined: the engine showed none. */
  readonly text?: string;
  readonly model?: string;
  readonly cited?: readonly { readonly url: string; readonly title: string }[];
  /** Offered or retrieved, and not cited. */
  readonly related?: readonly string[];
  readonly searches?: readonly string[];
  /** Whether it takes a second search to see it, where a provider has that. */
  readonly second?: boolean;
  readonly products?: readonly { readonly title: string; readonly price: string; readonly store: string }[];
  readonly ad?: { readonly brand: string; readonly url: string; readonly cards: readonly string[] };
}

type Form = (seen: Seen, engine: EngineId, prompt: string) => unknown;

const page = (title: string) => `https://shop.example/${encodeURIComponent(title)}`;

export const cloroForm: Form = (seen, engine, prompt) => {
  const { text, model, cited = [], related = [], searches = [], products = [], ad } = seen;
  const sources = cited.map(({ url, title }, at) => ({
    position: at + 1,
    url,
    label: title,
    description: '',
  }));
  const [first] = sources;
  const answer = {
    text,
    // A chip of the first source, which is not a part of the text.
    markdown: text && (first ? `${text} [Chip +1](${first.url})` : text),
    sources,
    ...(first && { citationPills: [{ ...first, citationPillId: 1, domain: 'd.example' }] }),
  };
  if (engine === 'aio') {
    const relatedLinks = related.map((url) => ({ url, label: 'Related' }));
    const ads = ad?.cards.map((title, at) => ({ title, url: ad.url, domain: ad.brand, position: at + 1 }));
    const overview = { ...answer, relatedLinks, ...(ads && { ads }) };
    return { organicResults: [], aioverview: text === undefined ? null : overview };
  }
  const cards = products.map(({ title, price, store }, at) => ({ title, price, store, at }));
  const asPrice = (price: string) => ({ value: Number(price.slice(1)), currency: price[0], raw: price });
  const shopping =
    engine === 'chatgpt'
      ? {
          shoppingCards: [
            {
              tags: ['Shoes'],
              products: cards.map(({ title, price, store }) => ({
                title,
                url: page(title),
                price,
                merchants: store,
              })),
            },
          ],
        }
      : {
          shopping_cards: cards.map(({ title, price, store }) => ({
            title,
            product_link: page(title),
            price: asPrice(price),
            store,
          })),
        };
  const adCards = (ad?.cards ?? []).map((title, at) => ({ title, url: ad!.url, position: at + 1 }));
  const ads =
    engine === 'aimode'
      ? { ads: { title: 'Sponsored', ads: adCards.map((card) => ({ ...card, store: ad!.brand })) } }
      : { ads: [{ brand: { name: ad?.brand, url: ad?.url }, cards: adCards }] };
  return {
    ...answer,
    model: model ?? 'gpt-5-3-mini',
    ...((engine === 'chatgpt' || engine === 'grok') && { searchQueries: searches }),
    ...(engine === 'perplexity' && {
      search_model_queries: [prompt, ...searches],
      related_queries: ['And then?'],
    }),
    ...(products.length > 0 && shopping),
    ...(ad && ads),
  };
};

const reference = ({ url, title }: { url: string; title: string }) => ({
  type: 'ai_overview_reference',
  url,
  title,
  source: 's',
  domain: 'd.example',
});

/** Its advertiser is named once, and its cards have the domain only. */
const scrapedAd = (
  type: string,
  { brand, url }: NonNullable<Seen['ad']>,
  ads: readonly { title: string }[],
) => ({
  type,
  advertiser: { name: brand, url, favicon_url: `${url}/favicon.ico` },
  items: ads.map(({ title }) => ({ type: `${type}_element`, title, url, domain: new URL(url).host })),
  is_rendered: true,
});

/** Task results: pages have an overview among other elements, scrapers the answer itself. */
export const dataforseoForm: Form = (seen, engine) => {
  const { text, model, cited = [], related = [], searches = [], products = [], ad } = seen;
  const references = cited.map(reference);
  const items = products.map(({ title, price, store }) => ({
    type: 'x',
    title,
    url: page(title),
    price: { current: Number(price.slice(1)), currency: 'USD', displayed_price: price },
    seller: store,
  }));
  const ads = (ad?.cards ?? []).map((title) => ({
    type: 'x_element',
    title,
    url: ad!.url,
    website_name: ad!.brand,
  }));
  if (engine === 'aio' || engine === 'aimode') {
    const overview = {
      type: 'ai_overview',
      markdown: text,
      items: [
        // References of elements repeat those of the overview.
        { type: 'ai_overview_element', text, markdown: text, references },
        ...(items.length > 0 ? [{ type: 'ai_overview_shopping', items }] : []),
        ...(ads.length > 0 ? [{ type: 'ai_overview_paid', text: 'Sponsored', items: ads }] : []),
      ],
      references,
    };
    const organic = related.map((url) => ({ type: 'organic', url, title: 'Related' }));
    return { keyword: 'k', items: [...organic, ...(text === undefined ? [] : [overview])] };
  }
  const prefix = engine === 'chatgpt' ? 'chat_gpt' : 'gemini';
  return {
    ...{
      model: model ?? 'gpt-5-3-mini',
      markdown: text,
      sources: cited.map((each) => ({ type: 's', ...each })),
    },
    search_results: related.map((url) => ({ url, title: 'Related' })),
    ...(engine === 'chatgpt' && { fan_out_queries: searches }),
    items: [
      { type: `${prefix}_text`, markdown: text },
      ...(items.length > 0 ? [{ type: `${prefix}_products`, items }] : []),
      ...(ads.length > 0 ? [scrapedAd(`${prefix}_ad`, ad!, ads)] : []),
    ],
  };
};

/** A record of a data set, or a result page. */
export const brightdataForm: Form = (seen, engine, prompt) => {
  const { text, model, cited = [], related = [], searches = [], products = [] } = seen;
  if (engine === 'aio') {
    const references = cited.map(({ url, title }, index) => ({
      href: url,
      title: `${title}. Opens in new tab.`,
      index,
    }));
    const overview = { texts: [{ type: 'paragraph', snippet: text }], references };
    return {
      general: { query: prompt },
      organic: related.map((link) => ({ link })),
      ...(text && { ai_overview: overview }),
    };
  }
  return {
    ...{ url: 'https://u.example/', prompt, answer_text: text, answer_text_markdown: text, index: 1 },
    model: model ?? 'gpt-5-3-mini',
    citations: [
      ...cited.map((each, at) => ({ ...each, position: at + 1, cited: true })),
      ...related.map((url) => ({ url, title: 'Related', cited: false })),
    ],
    ...{ links_attached: null, search_sources: related.map((url) => ({ url })), web_search_query: searches },
    shopping: products.map(({ title, price, store }) => ({
      title,
      price,
      url: page(title),
      merchant: store,
    })),
  };
};

/** A search: the overview inside, or of a second search if `token`. */
export const serpapiForm = (seen: Seen, engine: EngineId, token?: string): Record<string, unknown> => {
  const { text, cited = [], products = [] } = seen;
  const answer = {
    text_blocks:
      text === undefined ? undefined : text.split('\n').map((snippet) => ({ type: 'paragraph', snippet })),
    references: cited.map(({ url, title }, index) => ({ link: url, title, index, source: 's' })),
  };
  if (engine === 'aio') {
    if (text === undefined) return { organic_results: [] };
    return { organic_results: [], ai_overview: token ? { page_token: token, serpapi_link: 'l' } : answer };
  }
  const shopping = products.map(({ title, price, store }) => ({
    title,
    price,
    product_link: page(title),
    source: store,
  }));
  return { ...answer, ...(shopping.length > 0 && { shopping_results: shopping }) };
};
