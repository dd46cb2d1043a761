import type { Page } from './page.js';

const SECTION = /^\/(?:[^/]+\/)?(?:compare|comparisons?|vs|versus|alternatives)(?:\/|$)/;

const PHRASES: readonly RegExp[] = [
  // "VS Code" is an editor, not a comparison.
  /\S (?:vs|versus) (?!code\b|studio\b)\S/,
  /\balternatives\b/,
  /\balternative (?:to|for)\b/,
  /\b(?:best|free|cheaper|source) (?:\S+ )?alternative$/,
  /\bcomparisons?\b(?! (?:tools?|sites?|websites?|engines?|shopping)\b)/,
  // "Compared to last year" compares figures, not products.
  /\bcompared\b(?! (?:to|with) (?:last|previous|prior|the|a|an|\d))/,
  /^compare (?!plans|pricing|prices|editions|rates|quotes)\S+ (?:.* )?(?:and|vs|to|with) \S/,
  /\b(?:alternativen|alternativas|vergleich|comparatif|comparativa|vergelijking)\b/,
];

export function isComparison(page: Page): boolean {
  if (
    SECTION.test(page.path) ||
    page.segments.some((segment) => /[^-]-vs-(?!code\b|studio\b)[^-]/.test(segment))
  ) {
    return !page.isCommerce || !/^\/(?:dp|gp)\//.test(page.path);
  }
  return page.phrases.some((phrase) => PHRASES.some((pattern) => pattern.test(phrase)));
}
