import { comparableDomain } from './domains.js';
import type { BrandRecord, DatasetRecord } from './records.js';
import { recordsOf, recordsOfBrand } from './records.js';
import type { LabelContext } from './url-rules/url-rules.js';

/** What the labels of a brand's cited domains depend on: its domain, its rivals' and its workspace's own labels. */
export function labelContextOf(records: DatasetRecord[], brand: BrandRecord): LabelContext {
  const competitorDomains = recordsOfBrand(records, 'competitor', brand.id)
    .map((competitor) => comparableDomain(competitor.domain ?? ''))
    .filter((domain) => domain !== '');
  const reclassifications = new Map<string, string>();
  for (const record of recordsOf(records, 'reclassification')) {
    if (record.workspace !== brand.workspace) continue;
    reclassifications.set(comparableDomain(record.domain), record.classification);
  }
  return { brandDomain: comparableDomain(brand.domain), competitorDomains, reclassifications };
}
