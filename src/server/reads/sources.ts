import { CAPS } from '../../contract/limits.js';
import type { Source } from '../../contract/reads/sources.js';
import { type BrandWindow, plannedStatement, statement } from '../statement.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN, MENTIONS_BRAND } from '../sums/run-choice.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { daysFields, requireRunsSince, sliceOf } from './slice.js';

interface CitedDomainRow {
  domain: string;
  citations: number;
  brandPresent: boolean;
}

interface DomainBindings extends BrandWindow {
  rows: number;
}

const citedDomains = `
  select d.domain, s.citations::bigint as citations, s.present > 0 as "brandPresent"
  from (
    select domain_key, sum(citations) as citations, sum(present_runs) as present
    from day_domain where brand_key = :brandKey and day between :start and :end group by domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

/** The most cited domains of a window. */
const topDomains = statement<CitedDomainRow, DomainBindings>(
  'top_domains',
  `${citedDomains} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains of a window by name, after a given one. */
const domainsByName = statement<CitedDomainRow, DomainBindings & { after: string | null }>(
  'domains_by_name',
  `${citedDomains} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
);

// The same of chosen runs.

interface Listed extends ChosenBindings {
  rows: number;
}

const chosenDomains = `
  with chosen as materialized (select ${MENTIONS_BRAND} as present, c_url from ${chosenRuns()}),
  cited as (
    select url_key, count(*) as citations, bool_or(present) as present
    from (select present, unnest(c_url) as url_key from chosen offset 0) c group by url_key
  )
  select d.domain, s.citations, s.present as "brandPresent"
  from (
    select u.domain_key, sum(c.citations)::bigint as citations, bool_or(c.present) as present
    from cited c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
    group by u.domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

/** The domains that are cited most. */
export const topChosenDomains = plannedStatement<CitedDomainRow, Listed>(
  'top_chosen_domains',
  `${chosenDomains} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains by name, after a given one. */
const chosenDomainsByName = plannedStatement<CitedDomainRow, Listed & { after: string | null }>(
  'chosen_domains_by_name',
  `${chosenDomains} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
);

export const reader: Reader<'sources'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { engines, window, runs, rolledUp } = slice;
  if (!rolledUp) await requireRunsSince(context, window.start, params);
  const bindings = { brandKey: brand.key, engines, ...window, ...(runs ?? EVERY_RUN) };
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const top = { ...bindings, rows: CAPS.sources };
    const [rows, extent] = await Promise.all([
      rolledUp ? topDomains(db, top) : topChosenDomains(db, top),
      daysFields(context, slice),
    ]);
    return { ...envelope, sources: await labelled(context, rows), ...extent };
  }
  const place = { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) };
  const [found, extent] = await Promise.all([
    rolledUp ? domainsByName(db, place) : chosenDomainsByName(db, place),
    daysFields(context, slice),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.domain]);
  return { ...envelope, sources: await labelled(context, rows), ...extent, next_cursor };
};

async function labelled(context: ReadContext, rows: CitedDomainRow[]): Promise<Source[]> {
  const label = await labelsOf(
    context,
    rows.map((row) => row.domain),
  );
  return rows.map((row) => ({
    domain: row.domain,
    ...label(row.domain),
    citations: row.citations,
    brand_present: row.brandPresent,
  }));
}
