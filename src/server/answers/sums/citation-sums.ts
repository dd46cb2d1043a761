/** How often each domain, or each page of the brand, is cited in two windows, by day. */
import { plannedStatement } from '../../base/statement.js';
import { type ChosenBindings, chosenRuns, citationsOf } from './run-choice.js';

export interface CitedDay {
  /** Of a domain, or of a page; null: all domains of the brand. */
  readonly key: number | null;
  /** The domain, or the URL of the page; empty: what is cited has no domain. */
  readonly name: string;
  readonly isCurrent: boolean;
  /** Days before the end of its window. */
  readonly ago: number;
  readonly citations: number;
}

interface CitedBindings extends ChosenBindings {
  /** First day of the window before. */
  priorStart: string;
}

const AGO = `case when day >= :start then cast(:end as date) else cast(:start as date) - 1 end - day`;

const OWN_DOMAINS = 'select domain_key from domain_entities where brand_key = :brandKey and entity = 0';

const byDay = (rows: string): string => `
  select key, day >= :start as is_current, ${AGO} as ago, sum(citations)::bigint as citations
  from (${rows}) r group by 1, 2, 3`;

/** @param rows Citations by day and domain. */
const ofDomains = (rows: string): string => `
  select s.key, coalesce(d.domain, '') as name, s.is_current as "isCurrent", s.ago, s.citations
  from (${byDay(`
    select r.day, case when o.domain_key is null then r.domain_key end as key, r.citations
    from (${rows}) r left join (${OWN_DOMAINS}) o on o.domain_key = r.domain_key`)}) s
  left join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.key`;

/** @param rows Citations by day and page of the brand. */
const ofPages = (rows: string): string => `
  select s.key, u.url as name, s.is_current as "isCurrent", s.ago, s.citations
  from (${byDay(rows)}) s
  join cited_urls u on u.brand_key = :brandKey and u.url_key = s.key`;

const cited = (name: string, rows: string) => plannedStatement<CitedDay, CitedBindings>(name, rows);

const CITED = citationsOf(chosenRuns(':priorStart'), 'day');
const PRIOR_AND_WINDOW = 'brand_key = :brandKey and day between :priorStart and :end';

/** Citations of domains by day: of all runs on the blended engines, of all runs on any engines, and of any runs. */
export const citedDomains = {
  rollUp: cited(
    'cited_domain_days',
    ofDomains(`select day, domain_key, citations from day_domain where ${PRIOR_AND_WINDOW}`),
  ),
  engines: cited(
    'cited_domain_days_of_engines',
    ofDomains(`select day, unnest(domain_keys) as domain_key, unnest(citations) as citations from day_engine_domains
    where ${PRIOR_AND_WINDOW} and engine = any(:engines) offset 0`),
  ),
  runs: cited(
    'cited_domain_days_of_runs',
    ofDomains(`select c.day, u.domain_key, 1 as citations
    from (${CITED}) c join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key`),
  ),
} as const;

/** Citations of own pages by day: of all runs on any engines, and of any runs. */
export const citedOwnPages = {
  engines: cited(
    'cited_own_page_days',
    ofPages(`select day, unnest(url_keys) as key, unnest(citations) as citations from day_engine_own_urls
    where ${PRIOR_AND_WINDOW} and engine = any(:engines) offset 0`),
  ),
  runs: cited(
    'cited_own_page_days_of_runs',
    ofPages(`select c.day, c.url_key as key, 1 as citations
    from (${CITED}) c join cited_urls o on o.brand_key = :brandKey and o.url_key = c.url_key
      and o.domain_key in (${OWN_DOMAINS})`),
  ),
} as const;
