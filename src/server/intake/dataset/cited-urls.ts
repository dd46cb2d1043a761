/** Adds cited pages to their dictionaries: canonical URL, domain, and the page type by URL and by title. */
import { type CanonicalUrl, canonicalUrl } from '../../answers/citations/canonical-url.js';
import { pageTypeAt, readAddress } from '../../answers/citations/page-type.js';
import type { ImportedBrand } from './brand-catalog.js';
import type { Dictionary } from './dictionary.js';

/** The dictionaries of an import that cited pages are in. */
interface PageDictionaries {
  readonly domains: Dictionary;
  readonly urls: Dictionary;
  readonly titles: Dictionary;
}

/** `readAddress`, which parses each URL once. */
function addresses(): typeof readAddress {
  const known = new Map<string, ReturnType<typeof readAddress>>();
  return (url) => {
    let address = known.get(url);
    if (address === undefined) {
      address = readAddress(url);
      known.set(url, address);
    }
    return address;
  };
}

/** Ensures that canonical URLs and their domains have keys. */
export async function ensureUrls(
  dictionaries: PageDictionaries,
  brandKey: number,
  cited: Iterable<CanonicalUrl>,
  addressOf = readAddress,
): Promise<void> {
  const domainOf = new Map<string, string>();
  for (const { url, domain } of cited) domainOf.set(url, domain);
  await dictionaries.domains.ensure(brandKey, new Set(domainOf.values()));
  await dictionaries.urls.ensure(brandKey, domainOf.keys(), (url) => ({
    url,
    domain_key: dictionaries.domains.keyOf(brandKey, domainOf.get(url)!),
    page_type: pageTypeAt(addressOf(url), null),
  }));
}

/** NUL: no stored text contains it. A cited URL may contain any other character, line breaks included. */
const SEPARATOR = '\u0000';

/** The dictionary entry of a title. It includes the URL, because one title on two pages can give two page types. */
const titleEntry = ({ page, title }: CitedTitle): string => `${page.url}${SEPARATOR}${title}`;

/** Ensures that titles have keys. Their pages must have keys already. */
async function ensureTitles(
  dictionaries: PageDictionaries,
  brandKey: number,
  titles: readonly CitedTitle[],
  addressOf: typeof readAddress,
): Promise<void> {
  const titleOf = new Map(titles.map((each) => [titleEntry(each), each]));
  await dictionaries.titles.ensure(brandKey, titleOf.keys(), (entry) => {
    const { page, title } = titleOf.get(entry)!;
    return { title, url_key: page.key, page_type: pageTypeAt(addressOf(page.url), title) };
  });
}

/** A URL as answers cite it, with the key of its page. */
export interface CitedPage extends CanonicalUrl {
  /** 0: not looked up yet. */
  key: number;
  /** The title that answers gave it first. Most pages have no other, and need no map. */
  title: CitedTitle | null;
  otherTitles: Map<string, CitedTitle> | null;
}

/** A title that answers give a page. */
export interface CitedTitle {
  readonly page: CitedPage;
  readonly title: string;
  /** 0: not looked up yet. */
  key: number;
}

/** Pages and titles of a brand that have no key yet. */
export interface NewPages {
  readonly pages: CitedPage[];
  readonly titles: CitedTitle[];
}

const REMEMBERED = 100_000;

/** Remembers the pages that answers cite, by the id of the brand, so that each citation costs two look-ups in memory. */
export class CitedPages {
  readonly #brands = new Map<string, Map<string, CitedPage>>();
  #size = 0;
  #new = new Map<string, NewPages>();

  /** The page of a citation. It has a key after the next `ensurePages` of the brand. */
  page(brand: string, cited: string): CitedPage {
    let pages = this.#brands.get(brand);
    if (!pages) {
      pages = new Map();
      this.#brands.set(brand, pages);
    }
    let page = pages.get(cited);
    if (!page) {
      const { url, domain } = canonicalUrl(cited);
      page = { url, domain, key: 0, title: null, otherTitles: null };
      pages.set(cited, page);
      this.#size++;
      this.#newOf(brand).pages.push(page);
    }
    return page;
  }

  /** The title that a citation states for its page. It has a key after the next `ensurePages` of the brand. */
  title(brand: string, page: CitedPage, text: string): CitedTitle {
    const known = page.title?.title === text ? page.title : page.otherTitles?.get(text);
    if (known) return known;
    const title: CitedTitle = { page, title: text, key: 0 };
    if (page.title === null) page.title = title;
    else {
      page.otherTitles ??= new Map();
      page.otherTitles.set(text, title);
    }
    this.#size++;
    this.#newOf(brand).titles.push(title);
    return title;
  }

  #newOf(brand: string): NewPages {
    let added = this.#new.get(brand);
    if (!added) {
      added = { pages: [], titles: [] };
      this.#new.set(brand, added);
    }
    return added;
  }

  /** What was added since the last call, by the id of the brand. */
  takeNew(): ReadonlyMap<string, NewPages> {
    const added = this.#new;
    this.#new = new Map();
    return added;
  }

  /** Forgets every page if there are too many, or too many titles. Records that refer to them still can. */
  forgetIfFull(): void {
    if (this.#size <= REMEMBERED) return;
    this.#brands.clear();
    this.#size = 0;
  }
}

/** Gives pages and titles their keys, which are looked up or added. */
export async function ensurePages(
  dictionaries: PageDictionaries,
  brand: ImportedBrand,
  { pages, titles }: NewPages,
): Promise<void> {
  const addressOf = addresses();
  await ensureUrls(dictionaries, brand.key, pages, addressOf);
  for (const page of pages) page.key = dictionaries.urls.keyOf(brand.key, page.url);
  await ensureTitles(dictionaries, brand.key, titles, addressOf);
  for (const title of titles) title.key = dictionaries.titles.keyOf(brand.key, titleEntry(title));
}
