import { statement } from './statement.js';

/** The domains of a brand's competitors, as tracked. */
export const competitorDomains = statement<{ domain: string }, { brandKey: number }>(
  'competitor_domains',
  `select domain from competitors where brand_key = :brandKey and domain <> ''`,
);

/** The workspace's own labels for some domains. */
export const reclassifications = statement<
  { domain: string; classification: string },
  { workspaceId: string; domains: readonly string[] }
>(
  'reclassifications',
  'select domain, classification from reclassifications where workspace_id = :workspaceId and domain = any(:domains)',
);
