import { statement } from '../../base/statement.js';
import { domainLabel } from '../citations/domain-labels.js';
import type { ReadContext } from './reader.js';

/** The domains of a brand's competitors, as tracked. */
const competitorDomains = statement<{ domain: string }, { brandKey: number }>(
  'competitor_domains',
  `select domain from competitors where brand_key = :brandKey and domain <> '' and retired_at is null`,
);

/** The workspace's own labels for some domains. */
const reclassifications = statement<
  { domain: string; classification: string },
  { workspaceId: string; domains: readonly string[] }
>(
  'reclassifications',
  'select domain, classification from reclassifications where workspace_id = :workspaceId and domain = any(:domains)',
);

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
