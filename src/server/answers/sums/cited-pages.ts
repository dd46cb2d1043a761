/** Parts of statements about a few of the pages that a brand's answers cite. */

/** The pages of a domain that any answer cited. `domain` is the name of a binding. */
export const urlsOfDomain = (domain: string): string => `
  select u.url_key from cited_domains d
  join cited_urls u on u.brand_key = :brandKey and u.domain_key = d.domain_key
  where d.brand_key = :brandKey and d.hash = sha256(convert_to(${domain}, 'UTF8'))`;

/**
 * The rows of `day_url`, as `x`, of some pages on `:days`, which are the days from `:start` to `:end`. The days are listed,
 * so that the planner can look up each page on each day; for many pages it reads the window instead.
 */
export const citedOnDays = (pages: string): string => `
  ${pages} p cross join unnest(cast(:days as date[])) as w(day)
  join day_url x on x.brand_key = :brandKey and x.day = w.day and x.url_key = p.url_key
    and x.day between :start and :end`;

/** The sums of some pages over the window. @param more Further sums of the rows `x`. */
export const citedSums = (pages: string, more = ''): string => `
  select x.url_key, sum(x.citations)::bigint as citations, sum(x.answers)::bigint as answers,
    bit_or(x.engines) as engines${more}
  from ${citedOnDays(pages)} group by x.url_key`;
