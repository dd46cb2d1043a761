import { entitiesOf, mentionsOf } from '../entities.js';
import { labelContextOf } from '../labels.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

const SOURCES_CAP = 20;

export interface ExpectedSource {
  domain: string;
  classification: string;
  overridden: boolean;
  citations: number;
  brand_present: boolean;
}

export interface ExpectedSources {
  body: Echo & {
    brand: BrandReference;
    sources: ExpectedSource[];
  };
  listing: ExpectedSource[];
}

/**
 * Body: the 20 most cited domains, ties by domain. Listing: every domain by domain, as pages walk it. What has no
 * host is counted under the empty domain. Null = 404.
 */
export function expectedSources(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  slice: SliceParams = {},
): ExpectedSources | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const own = entitiesOf(records, brand)[0]!;
  const context = labelContextOf(records, brand);
  const rows = new Map<string, ExpectedSource>();
  const { runs, echo } = chosenRuns(records, brand, scope.today, slice);
  for (const run of runs) {
    const present = mentionsOf(own, run.mentions).length > 0;
    for (const citation of run.citations) {
      const { domain } = rules.canonicalUrl(citation.url);
      const row = rows.get(domain) ?? {
        domain,
        ...rules.domainLabel(domain, context),
        citations: 0,
        brand_present: false,
      };
      row.citations += 1;
      if (present) row.brand_present = true;
      rows.set(domain, row);
    }
  }
  const listing = [...rows.values()].sort((a, b) => byCodePoint(a.domain, b.domain));
  const ranked = [...listing].sort((a, b) => b.citations - a.citations || byCodePoint(a.domain, b.domain));
  return { body: { brand: referenceTo(brand), sources: ranked.slice(0, SOURCES_CAP), ...echo }, listing };
}
