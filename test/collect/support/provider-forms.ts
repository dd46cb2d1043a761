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
    return { organicResults: [], aioverview: text === undefined ? null : { ...answer, relatedLinks } };
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
    ...(engine === 'chatgpt' && { searchQueries: searches }),
    ...(engine === 'perplexity' && {
      search_model_queries: [prompt, ...searches],
      related_queries: ['And then?'],
    }),
    ...(products.length > 0 && shopping),
    ...(ad && ads),
  };
};
