import type { BrandWindow } from './bindings.js';
import { statement } from './statement.js';

export interface CitedDomainRow {
  domain: string;
  citations: number;
  brandPresent: boolean;
}

interface DomainBindings extends BrandWindow {
  rows: number;
}

const cited = `
  select d.domain, s.citations::bigint as citations, s.present > 0 as "brandPresent"
  from (
    select domain_key, sum(citations) as citations, sum(present_runs) as present
    from day_domain where brand_key = :brandKey and day between :start and :end group by domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

/** The most cited domains of a window. */
export const topDomains = statement<CitedDomainRow, DomainBindings>(
  'top_domains',
  `${cited} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains of a window by name, after a given one. */
export const domainsByName = statement<CitedDomainRow, DomainBindings & { after: string | null }>(
  'domains_by_name',
  `${cited} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
);
