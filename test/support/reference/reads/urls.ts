import { ENGINES } from '../engines.js';
import { entitiesOf } from '../entities.js';
import { labelContextOf } from '../labels.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findBrand, referenceTo } from '../scope.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import type { CitedPage } from './cited-pages.js';
import { citedPages, emptyPage, newestTitles } from './cited-pages.js';

const URLS_CAP = 50;

export interface ExpectedUrl {
  url: string;
  domain: string;
  title: string | null;
  classification: string;
  overridden: boolean;
  citations: number;
  prior_citations: number | null;
  answers: number;
  engines: string[];
  brand_present: boolean;
  page_type: string | null;
}

export interface ExpectedUrls {
  body: Echo & { brand: BrandReference; urls: ExpectedUrl[] };
  listing: ExpectedUrl[];
}

/**
 * Body: the 50 most cited URLs. Listing: every URL of either window by url, as pages walk it. A brand that was never
 * collected has the empty form here; null = 404 is only for a brand out of scope.
 */
export function expectedUrls(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  slice: SliceParams = {},
): ExpectedUrls | null {
  const brand = findBrand(records, scope);
  if (brand === null) return null;
  const own = entitiesOf(records, brand)[0]!;
  const context = labelContextOf(records, brand);
  const { runs, priorRuns, echo } = chosenRuns(records, brand, scope.today, slice);
  const current = citedPages(runs, own, rules);
  const prior = citedPages(priorRuns, own, rules);
  const titles = newestTitles([...runs, ...priorRuns], rules);
  const listing = [...new Map([...prior, ...current]).values()]
    .map(({ url, domain }) => {
      const title = titles.get(url) ?? null;
      return {
        ...counts(current.get(url) ?? emptyPage(url, domain)),
        prior_citations: priorRuns.length === 0 ? null : (prior.get(url)?.citations ?? 0),
        title,
        ...rules.domainLabel(domain, context),
        page_type: rules.pageType(url, title),
      };
    })
    .sort((a, b) => byCodePoint(a.url, b.url));
  return { body: { brand: referenceTo(brand), urls: mostCited(listing), ...echo }, listing };
}

function counts(page: CitedPage) {
  return {
    url: page.url,
    domain: page.domain,
    citations: page.citations,
    answers: page.runs.size,
    engines: ENGINES.filter((engine) => page.engines.has(engine)),
    brand_present: page.brandPresent,
  };
}

function mostCited(rows: ExpectedUrl[]): ExpectedUrl[] {
  return [...rows]
    .sort(
      (a, b) =>
        b.citations - a.citations ||
        (b.prior_citations ?? 0) - (a.prior_citations ?? 0) ||
        byCodePoint(a.url, b.url),
    )
    .slice(0, URLS_CAP);
}
