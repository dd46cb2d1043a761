import type { UrlRules } from './url-rules.js';

/** The same rules, each cited URL read once: history tallies every run several times. */
export function memoisedUrlRules(rules: UrlRules): UrlRules {
  const read = new Map<string, { url: string; domain: string }>();
  return {
    ...rules,
    canonicalUrl(cited) {
      const canonical = read.get(cited) ?? rules.canonicalUrl(cited);
      read.set(cited, canonical);
      return canonical;
    },
  };
}
