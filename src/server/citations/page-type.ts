import type { PageType } from '../../contract/reads/urls.js';
import { isComparison } from './page-type/comparison.js';
import { isDocs } from './page-type/docs.js';
import { isForum } from './page-type/forum.js';
import { isHowto } from './page-type/howto.js';
import { isListicle } from './page-type/listicle.js';
import { isNews } from './page-type/news.js';
import { type Address, type Page, readAddress, readPage } from './page-type/page.js';
import { isProduct } from './page-type/product.js';
import { isReview } from './page-type/review.js';

/** The first rule that matches decides the type. */
const RULES: readonly (readonly [PageType, (page: Page) => boolean])[] = [
  ['forum', isForum],
  ['docs', isDocs],
  ['comparison', isComparison],
  ['listicle', isListicle],
  ['howto', isHowto],
  ['review', isReview],
  ['product', isProduct],
  ['news', isNews],
];

/** Pages of a site about itself. They have no type, whatever their title says. */
const SITE_PAGE =
  /^\/(?:about|about-us|company|pricing|plans|contact|contact-us|careers|jobs|team|login|signin|sign-in|signup|sign-up|register|privacy|privacy-policy|terms|terms-of-service|legal|imprint|impressum|cookies|search|sitemap|demo|customers|partners)$/;
const WIKI = /^\/(?:.*\/)?wiki(?:\/|$)/;

/**
 * Returns the type of a cited page, from its URL and title only; null if they do not show one. A home page gets a type
 * only from its host (a forum, a documentation site); site pages and wikis get none. Linear in the input, never throws.
 */
export function pageType(url: string, title: string | null): PageType | null {
  return pageTypeAt(readAddress(url), title);
}

/** The same for an address that `readAddress` has parsed: the titles of a page share it. */
export function pageTypeAt(address: Address | null, title: string | null): PageType | null {
  if (address === null || SITE_PAGE.test(address.path) || isWiki(address)) return null;
  const page = readPage(address, title);
  const isHome = page.segments.length === 0;
  for (const [type, holds] of isHome ? RULES.slice(0, 2) : RULES) {
    if (holds(page)) return type;
  }
  return null;
}

function isWiki({ path, hostLabels }: Address): boolean {
  return WIKI.test(path) || hostLabels.includes('wiki');
}
