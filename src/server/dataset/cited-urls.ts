/** Adds cited pages to their dictionaries: canonical URL, domain, and the page type by URL and by title. */
import { type CanonicalUrl, canonicalUrl } from '../citations/canonical-url.js';
import { pageType } from '../citations/page-type.js';
import type { Dictionary } from './dictionary.js';

/** The dictionaries of an import that cited pages are in. */
interface PageDictionaries {
  readonly domains: Dictionary;
  readonly urls: Dictionary;
  readonly titles: Dictionary;
}

/** Ensures that canonical URLs and their domains have keys. */
export async function ensureUrls(
  dictionaries: PageDictionaries,
  brandKey: number,
  cited: Iterable<CanonicalUrl>,
): Promise<void> {
  const domainOf = new Map<string, string>();
  for (const { url, domain } of cited) domainOf.set(url, domain);
  await dictionaries.domains.ensure(brandKey, new Set(domainOf.values()));
  await dictionaries.urls.ensure(brandKey, domainOf.keys(), (url) => ({
    domain_key: dictionaries.domains.keyOf(brandKey, domainOf.get(url)!),
    page_type: pageType(url, null),
  }));
}

/** NUL: no stored text contains it. A cited URL may contain any other character, line breaks included. */
const SEPARATOR = '\u0000';

/** The dictionary entry of a title. It includes the URL, because one title on two pages can give two page types. */
const titleEntry = ({ page, title }: TitledPage): string => `${page.url}${SEPARATOR}${title}`;

/** Ensures that titles have keys. Their pages must have keys already. */
async function ensureTitles(dictionaries: PageDictionaries, brandKey: number, titled: readonly TitledPage[]) {
  const titledOf = new Map(titled.map((each) => [titleEntry(each), each]));
  await dictionaries.titles.ensure(brandKey, titledOf.keys(), (entry) => {
    const { page, title } = titledOf.get(entry)!;
    return { title, url_key: page.key, page_type: pageType(page.url, title) };
  });
}

/** A URL as answers cite it, with the keys of its page and of the titles that they give it. */
export interface CitedPage extends CanonicalUrl {
  /** 0: not looked up yet. */
  key: number;
  readonly titles: Map<string, number>;
}

/** A page and a title that an answer gives it. */
interface TitledPage {
  readonly page: CitedPage;
  readonly title: string;
}

const REMEMBERED = 100_000;

/** Remembers the pages that answers cite, so that each citation costs two look-ups in memory. */
export class CitedPages {
  readonly #brands = new Map<number, Map<string, CitedPage>>();
  #size = 0;

  #of(brandKey: number, cited: string): CitedPage {
    let pages = this.#brands.get(brandKey);
    if (!pages) {
      pages = new Map();
      this.#brands.set(brandKey, pages);
    }
    let page = pages.get(cited);
    if (!page) {
      page = { ...canonicalUrl(cited), key: 0, titles: new Map() };
      pages.set(cited, page);
      this.#size++;
    }
    return page;
  }

  /** Forgets every page if there are too many, or too many titles. Call it before a batch. */
  forgetIfFull(): void {
    if (this.#size <= REMEMBERED) return;
    this.#brands.clear();
    this.#size = 0;
  }

  /** The pages of citations, in their order. Keys of new pages and titles are looked up or added. */
  async ensure(
    dictionaries: PageDictionaries,
    brandKey: number,
    citations: Iterable<{ readonly url: string; readonly title?: string | null | undefined }>,
  ): Promise<CitedPage[]> {
    const cited: CitedPage[] = [];
    const fresh = new Set<CitedPage>();
    const titled: TitledPage[] = [];
    for (const { url, title } of citations) {
      const page = this.#of(brandKey, url);
      cited.push(page);
      if (page.key === 0) fresh.add(page);
      if (title == null || page.titles.has(title)) continue;
      page.titles.set(title, 0);
      titled.push({ page, title });
    }
    this.#size += titled.length;
    await ensureUrls(dictionaries, brandKey, fresh);
    for (const page of fresh) page.key = dictionaries.urls.keyOf(brandKey, page.url);
    await ensureTitles(dictionaries, brandKey, titled);
    for (const each of titled) {
      each.page.titles.set(each.title, dictionaries.titles.keyOf(brandKey, titleEntry(each)));
    }
    return cited;
  }
}
