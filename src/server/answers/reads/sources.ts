import { CAPS } from '../../../contract/limits.js';
import type { Source } from '../../../contract/reads/sources.js';
import { type BrandWindow, plannedStatement, statement } from '../../base/statement.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN, MENTIONS_BRAND } from '../sums/run-choice.js';
import { rollupOf } from '../sums/slice-sums.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { requireRunsSince, type Slice, type SliceParams, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

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

// The same of chosen prompts, in every region and on the blended engines.

interface PromptsBindings extends BrandWindow {
  promptKeys: readonly number[];
}

const ofPrompts = `
  brand_key = :brandKey and day between :start and :end and prompt_key = any(cast(:promptKeys as integer[]))`;

/** The days on which one of the prompts was answered. */
const daysOfPrompts = plannedStatement<{ day: string }, PromptsBindings>(
  'days_of_prompts',
  `select distinct day from day_prompt where ${ofPrompts}`,
);

const domainsOfPrompts = `
  select d.domain, s.citations, s.present as "brandPresent"
  from (
    select domain_key, sum(citations)::bigint as citations, sum(present) > 0 as present
    from (
      select unnest(domain_keys) as domain_key, unnest(citations) as citations, unnest(present_citations) as present
      from day_prompt_domains where ${ofPrompts} offset 0
    ) cited
    group by domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;

/** The domains that are cited most. */
const topDomainsOfPrompts = plannedStatement<CitedDomainRow, PromptsBindings & { rows: number }>(
  'top_domains_of_prompts',
  `${domainsOfPrompts} order by s.citations desc, d.domain limit :rows`,
);

/** All cited domains by name, after a given one. */
const domainsOfPromptsByName = plannedStatement<
  CitedDomainRow,
  PromptsBindings & { rows: number; after: string | null }
>(
  'domains_of_prompts_by_name',
  `${domainsOfPrompts} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
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
  const { brand, page } = context;
  const slice = await sliceOf(context, params);
  const { top, byName, days } = await statementsOf(context, slice, params);
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const [rows, extent] = await Promise.all([
      top(CAPS.sources),
      daysFields(context, slice, days && { days }),
    ]);
    return { ...envelope, sources: await labelled(context, rows), ...extent };
  }
  const [found, extent] = await Promise.all([
    byName(page.after?.[0] ?? null, rowsToFetch(page)),
    daysFields(context, slice, days && { days }),
  ]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.domain]);
  return { ...envelope, sources: await labelled(context, rows), ...extent, next_cursor };
};

interface Statements {
  top(rows: number): Promise<CitedDomainRow[]>;
  byName(after: string | null, rows: number): Promise<CitedDomainRow[]>;
  /** The days with answers, where a roll-up has them. */
  readonly days?: readonly string[];
}

/** The statements for a slice: on the roll-ups where they have it, else on the runs. */
async function statementsOf(context: ReadContext, slice: Slice, params: SliceParams): Promise<Statements> {
  const { db, brand } = context;
  const { engines, runs, rolledUp } = slice;
  const window = { brandKey: brand.key, ...slice.window };
  if (rolledUp)
    return {
      top: (rows) => topDomains(db, { ...window, rows }),
      byName: (after, rows) => domainsByName(db, { ...window, after, rows }),
    };
  if (runs !== null && rollupOf(engines, runs) === 'prompts') {
    const prompts = { ...window, promptKeys: runs.promptKeys! };
    return {
      top: (rows) => topDomainsOfPrompts(db, { ...prompts, rows }),
      byName: (after, rows) => domainsOfPromptsByName(db, { ...prompts, after, rows }),
      days: (await daysOfPrompts(db, prompts)).map(({ day }) => day),
    };
  }
  await requireRunsSince(context, window.start, params);
  const chosen = { ...window, engines, ...(runs ?? EVERY_RUN) };
  return {
    top: (rows) => topChosenDomains(db, { ...chosen, rows }),
    byName: (after, rows) => chosenDomainsByName(db, { ...chosen, after, rows }),
  };
}

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
