/** Cited pages into their dictionaries: canonical URL, domain, and the page type by URL and by title. */
import { LRUCache } from 'lru-cache';
import { canonicalUrl } from '../citations/canonical-url.js';
import { pageType } from '../citations/page-type.js';
import type { ImportSession } from './session.js';

const remembered = new LRUCache<string, { url: string; domain: string }>({ max: 100_000 });

/** `canonicalUrl`, remembered: answers cite the same pages over and over. */
export function canonicalOf(cited: string): { url: string; domain: string } {
  const known = remembered.get(cited);
  if (known) return known;
  const canonical = canonicalUrl(cited);
  remembered.set(cited, canonical);
  return canonical;
}

/** Gives keys to the canonical forms of these URLs and to their domains. */
export async function learnUrls(
  session: ImportSession,
  brandKey: number,
  cited: Iterable<string>,
): Promise<void> {
  const domainOf = new Map<string, string>();
  for (const each of cited) {
    const { url, domain } = canonicalOf(each);
    domainOf.set(url, domain);
  }
  await session.domains.learn(brandKey, new Set(domainOf.values()));
  await session.urls.learn(brandKey, domainOf.keys(), (url) => ({
    domain_key: session.domains.keyOf(brandKey, domainOf.get(url)!),
    page_type: pageType(url, null),
  }));
}

/** No stored text holds it; what is cited as a URL may hold anything else, line breaks too. */
const SEPARATOR = '\u0000';

/** What names a title in its dictionary: the same words over two pages may make two page types. */
export const titleEntry = (url: string, title: string): string => `${url}${SEPARATOR}${title}`;

/** Gives keys to titles; their pages must be known. */
export async function learnTitles(
  session: ImportSession,
  brandKey: number,
  entries: Iterable<string>,
): Promise<void> {
  await session.titles.learn(brandKey, entries, (entry) => {
    const cut = entry.indexOf(SEPARATOR);
    const [url, title] = [entry.slice(0, cut), entry.slice(cut + 1)];
    return { title, url_key: session.urls.keyOf(brandKey, url), page_type: pageType(url, title) };
  });
}
