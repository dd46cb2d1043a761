import { domainLabel } from '../../citations/domain-labels.js';
import { competitorDomains, reclassifications } from '../../queries/domain-labels.js';
import type { ReadContext } from '../reader.js';

/** Labels some domains by today's tracked set and the workspace's reclassifications. */
export async function labelsOf({ db, brand }: ReadContext, domains: readonly string[]) {
  const [rivals, own] = await Promise.all([
    competitorDomains(db, { brandKey: brand.key }),
    reclassifications(db, { workspaceId: brand.workspaceId, domains: [...new Set(domains)] }),
  ]);
  const context = {
    brandDomain: brand.domain,
    competitorDomains: rivals.map((row) => row.domain),
    reclassifications: new Map(own.map((row) => [row.domain, row.classification])),
  };
  return (domain: string) => domainLabel(domain, context);
}
