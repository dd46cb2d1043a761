import { parseWebUrl } from '../canonical-url.js';
import { normaliseDomain } from '../domain.js';
import { isRetailHost } from '../domain-labels.js';

/** The properties of a page's URL that the rules read. All text is lower case. */
export interface Address {
  host: string;
  /** The host's labels before the last two: `docs` of docs.example.com. */
  hostLabels: readonly string[];
  /** The decoded segments of the path, without leading language and country and without an index file. */
  segments: readonly string[];
  /** The segments joined as `/a/b/c`, for rules on neighbouring segments. */
  path: string;
  /** The words of the last segment that is not a number or a word like `page`. */
  slug: string;
  /** Whether the page is in a blog, magazine, guide or news section. */
  isArticle: boolean;
  /** Whether the host is a shop or marketplace. */
  isRetail: boolean;
  /** Whether the page is in a shop, where slugs and titles are the names of products and categories. */
  isCommerce: boolean;
}

/** The same of a page with its title. */
export interface Page extends Address {
  /** The slug and each clause of the title, as words separated by single spaces. */
  phrases: readonly string[];
  /** The clauses of the title, including the site's name. */
  titleClauses: readonly string[];
}

const TITLE_LIMIT = 500;
/** Longer than the path of any real page; limits the work of the rules. */
const PATH_LIMIT = 2048;
/** A list of codes, because `/dp/`, `/hc/` and `/tv/` have two letters too. */
const LANGUAGE =
  /^(?:en|de|fr|es|it|pt|nl|sv|no|nb|da|fi|pl|cs|sk|hu|ro|bg|hr|el|tr|ru|uk|ja|ko|zh|ar|he|hi|th|vi|id|us|gb|au|ca|ie|at|ch|br|mx|jp|[a-z]{2}[-_][a-z]{2,4})$/;
const INDEX_FILE = /^(?:index|default|home)\.[a-z]{3,5}$/;
const NOT_A_SLUG = /^(?:[\d_.-]+|p\d+|page|amp|index)$/;
const ARTICLE_SECTION =
  /^(?:blogs?|news|newsroom|magazine|articles?|press|stories|insights|guides?|advice|expert-advice|learn|discover-learn|inspiration|resources)$/;
const SHOP_SECTION =
  /^(?:shop|store|products?|product-category|category|categories|collections?|cart|dp|gp|itm|ip|pdp|s|b|zgbs)$/;

/** Parses the URL of a page; null if the text is not an http(s) URL. */
export function readAddress(text: string): Address | null {
  const url = parseWebUrl(text);
  if (url === null) return null;
  const host = normaliseDomain(url.hostname);
  const segments = segmentsOf(url.pathname);
  const isArticle = segments.slice(0, -1).some((segment) => ARTICLE_SECTION.test(segment));
  const isRetail = isRetailHost(host);
  const isShop = isRetail || SHOP_SECTION.test(segments[0] ?? '');
  return {
    host,
    hostLabels: host.split('.').slice(0, -2),
    segments,
    path: `/${segments.join('/')}`,
    slug: slugOf(segments),
    isArticle,
    isRetail,
    isCommerce: isShop && !isArticle,
  };
}

/** Adds what the title says. */
export function readPage(address: Address, title: string | null): Page {
  const { host, hostLabels, segments, path, slug, isArticle, isRetail, isCommerce } = address;
  const chunks = (title ?? '').slice(0, TITLE_LIMIT).split('|');
  // The text after a bar is the name of the site, not of the page.
  const ownChunks = chunks.length > 1 ? chunks.slice(0, -1) : chunks;
  // The title of a retailer's page is the name of a product: "How to …" is a book.
  const readable = isCommerce && isRetail ? [] : [slug, ...ownChunks.flatMap(clausesOf)];
  const phrases = readable.filter((phrase) => phrase !== '');
  const titleClauses = chunks.flatMap(clausesOf);
  // A spread of the address would cost more than all rules together.
  return { host, hostLabels, segments, path, slug, isArticle, isRetail, isCommerce, phrases, titleClauses };
}

function segmentsOf(pathname: string): string[] {
  const segments = pathname
    .slice(0, PATH_LIMIT)
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment).toLowerCase());
  // A path may begin with country and language: `/us/en/`.
  for (let i = 0; i < 2 && LANGUAGE.test(segments[0] ?? ''); i++) segments.shift();
  if (INDEX_FILE.test(segments.at(-1) ?? '')) segments.pop();
  return segments;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function slugOf(segments: readonly string[]): string {
  const named = segments.findLast((segment) => !NOT_A_SLUG.test(segment)) ?? '';
  return words(named.slice(0, TITLE_LIMIT).replace(/\.(?:html?|php|aspx?|jsp)$/, ''));
}

/** Splits a text at colons, dashes, commas and brackets into clauses, each without punctuation. */
function clausesOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\bvs\./g, 'vs')
    .split(/[:|,;()[\]!?–—·•"“”«»]| - /)
    .map(words)
    .filter((clause) => clause !== '');
}

function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’‘]/g, '')
    .replaceAll('%', ' percent ')
    .split(/[^\p{L}\p{M}\p{N}+#]+/u)
    .filter((word) => word !== '')
    .join(' ');
}
