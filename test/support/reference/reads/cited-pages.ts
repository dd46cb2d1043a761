import type { Entity } from '../entities.js';
import { mentionsOf } from '../entities.js';
import type { RunRecord } from '../records.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

/** The sums of one canonical URL over the runs of a window. */
export interface CitedPage {
  url: string;
  domain: string;
  citations: number;
  runs: Set<string>;
  engines: Set<string>;
  brandPresent: boolean;
}

/** The pages that the runs cite, by canonical URL. */
export function citedPages(runs: RunRecord[], own: Entity, rules: UrlRules): Map<string, CitedPage> {
  const pages = new Map<string, CitedPage>();
  for (const run of runs) {
    const present = mentionsOf(own, run.mentions).length > 0;
    for (const citation of run.citations) {
      const { url, domain } = rules.canonicalUrl(citation.url);
      const page = pages.get(url) ?? emptyPage(url, domain);
      page.citations += 1;
      page.runs.add(run.id);
      page.engines.add(run.engine);
      if (present) page.brandPresent = true;
      pages.set(url, page);
    }
  }
  return pages;
}

export function emptyPage(url: string, domain: string): CitedPage {
  return { url, domain, citations: 0, runs: new Set(), engines: new Set(), brandPresent: false };
}

/** The newest title stated for each canonical URL, by collection instant, then run id; in one run the first. */
export function newestTitles(runs: RunRecord[], rules: UrlRules): Map<string, string> {
  const newestFirst = [...runs].sort(
    (a, b) => Date.parse(b.collected_at) - Date.parse(a.collected_at) || byCodePoint(b.id, a.id),
  );
  const titles = new Map<string, string>();
  for (const run of newestFirst) {
    for (const citation of run.citations) {
      const { url } = rules.canonicalUrl(citation.url);
      if (citation.title && !titles.has(url)) titles.set(url, citation.title);
    }
  }
  return titles;
}
