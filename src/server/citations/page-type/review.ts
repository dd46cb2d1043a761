import { isDirectoryHost } from '../domain-labels.js';
import type { Page } from './page.js';

const SECTION =
  /\/(?:reviews?|product-reviews|customer-reviews)\/(?!(?:page|category|categories|tag|tags|all|latest)(?:\/|$))[^/]/;
const OF_A_PRODUCT = /\/products?\/[^/]+\/(?:[^/]+\/)?reviews?$/;

/** Phrases with "review" that do not review a product: of work, law or a year, and names of periodicals. */
const NOT_A_VERDICT =
  /\b(?:code|peer|performance|annual|literature|systematic|scoping|business|technology|law|legal|judicial|design|security|policy|compliance|content|weekly|monthly|quarterly|daily|yearly|national|pull request|app|access|under|for|in|to|and|your|a|the) reviews?$/;

/** "Review of …" and the slug `review-…`, but not a text about reviewing. */
const OPENING =
  /^review (?:of )?(?!of\b|the\b|literature|guidelines?\b|process|polic|sites?\b|management|software|platforms?\b|tools?\b|us\b|our\b|your\b|and\b|board|request|period|cycle)\S+ \S/;

export function isReview(page: Page): boolean {
  if (SECTION.test(page.path) || OF_A_PRODUCT.test(page.path)) return true;
  if (isDirectoryHost(page.host) && page.segments.length > 1 && page.segments.at(-1) === 'reviews')
    return true;
  return page.phrases.some(isReviewPhrase);
}

function isReviewPhrase(phrase: string): boolean {
  if (OPENING.test(phrase)) return true;
  if (/(?:^hands on with \S)|(?:\S hands on$)|(?:^hands on$)/.test(phrase)) return true;
  if (/\b(?:im test|testbericht|erfahrungsbericht|reseña)$/.test(phrase)) return true;
  const verdict = phrase
    .replace(/ (?:20\d\d|\d{3,})$/, '')
    .replace(/ (?:in|for)$/, '')
    .replace(/ and ratings?$/, '');
  return /\S reviews?$/.test(verdict) ? !NOT_A_VERDICT.test(verdict) : verdict === 'review';
}
