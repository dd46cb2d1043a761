/** Adds cited pages to their dictionaries: canonical URL, domain, and the page type by URL and by title. */
import { LRUCache } from 'lru-cache';
import { canonicalUrl } from '../citations/canonical-url.js';
import { pageType } from '../citations/page-type.js';
import type { ImportSession } from './session.js';

const remembered = new LRUCache<string, { url: string; domain: string }>({ max: 100_000 });

/** `canonicalUrl` with a cache, because answers cite the same pages repeatedly. */
export function canonicalOf(cited: string): { url: string; domain: string } {
  const known = remembered.get(cited);
  if (known) return known;
  const canonical = canonicalUrl(cited);
  remembered.set(cited, canonical);
  return canonical;
}

/** Ensures that the canonical forms of these URLs and their domains have keys. */
export async function ensureUrls(
  session: ImportSession,
  brandKey: number,
  cited: Iterable<string>,
): Promise<void> {
  const domainOf = new Map<string, string>();
  for (const each of cited) {
    const { url, domain } = canonicalOf(each);
    domainOf.set(url, domain);
  }
  await session.domains.ensure(brandKey, new Set(domainOf.values()));
  await session.urls.ensure(brandKey, domainOf.keys(), (url) => ({
    domain_key: session.domains.keyOf(brandKey, domainOf.get(url)!),
    page_type: pageType(url, null),
  }));
}

/** NUL: no stored text contains it. A cited URL may contain any other character, line breaks included. */
const SEPARATOR = '\u0000';

/** The dictionary entry of a title. It includes the URL, because one title on two pages can give two page types. */
export const titleEntry = (url: string, title: string): string => `${url}${SEPARATOR}${title}`;

/** Ensures that titles have keys. The URLs of their pages must have keys already. */
export async function ensureTitles(
  session: ImportSession,
  brandKey: number,
  entries: Iterable<string>,
): Promise<void> {
  await session.titles.ensure(brandKey, entries, (entry) => {
    const cut = entry.indexOf(SEPARATOR);
    const [url, title] = [entry.slice(0, cut), entry.slice(cut + 1)];
    return { title, url_key: session.urls.keyOf(brandKey, url), page_type: pageType(url, title) };
  });
}
