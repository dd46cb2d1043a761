import { CAPS } from '../../../contract/limits.js';
import type { Source } from '../../../contract/reads/sources.js';
import { plannedStatement, statement } from '../../base/statement.js';
import { daysOfPrompts } from '../sums/collected-days.js';
import {
  type ChosenBindings,
  chosenRuns,
  citationsOf,
  EVERY_RUN,
  IN_PROMPTS,
  MENTIONS_BRAND,
} from '../sums/run-choice.js';
import { rollupOf } from '../sums/slice-sums.js';
import { labelsOf } from './domain-labels.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { requireRunsSince, type Slice, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface CitedDomainRow {
  domain: string;
  citations: number;
  brandPresent: boolean;
}

interface Bindings extends ChosenBindings {
  rows: number;
}

/** @param rows Rows of `domain_key`, `citations` and `present`, which is above 0 where an answer mentions the brand. */
const listsOf = (create: typeof statement, name: string, rows: string) => {
  const domains = `
  select d.domain, s.citations, s.present > 0 as "brandPresent"
  from (
    select domain_key, sum(citations)::bigint as citations, sum(present) as present from (${rows}) cited
    group by domain_key
  ) s
  join cited_domains d on d.brand_key = :brandKey and d.domain_key = s.domain_key`;
  return {
    /** The domains that are cited most. */
    top: create<CitedDomainRow, Bindings>(
      `top_domains_of_${name}`,
      `${domains} order by s.citations desc, d.domain limit :rows`,
    ),
    /** All cited domains by name, after a given one. */
    byName: create<CitedDomainRow, Bindings & { after: string | null }>(
      `domains_of_${name}_by_name`,
      `${domains} where cast(:after as text) is null or d.domain > :after order by d.domain limit :rows`,
    ),
  };
};

const IN_WINDOW = 'brand_key = :brandKey and day between :start and :end';

const LISTED =
  'unnest(domain_keys) as domain_key, unnest(citations) as citations, unnest(present_citations) as present';

/**
 * The cited domains of every run on the blended engines, of some prompts on them, of every run on any engines, and of any
 * runs, which are summed by URL first.
 */
export const domainLists = {
  'every run': listsOf(
    statement,
    'days',
    `select domain_key, citations, present_runs as present from day_domain where ${IN_WINDOW}`,
  ),
  prompts: listsOf(
    plannedStatement,
    'prompts',
    `select ${LISTED} from day_prompt_domains where ${IN_WINDOW} and ${IN_PROMPTS} offset 0`,
  ),
  engines: listsOf(
    plannedStatement,
    'engines',
    `select ${LISTED} from day_engine_domains where ${IN_WINDOW} and engine = any(:engines) offset 0`,
  ),
  runs: listsOf(
    plannedStatement,
    'runs',
    `select u.domain_key, c.citations, c.present
     from (
       select url_key, count(*) as citations, max(present) as present
       from (${citationsOf(chosenRuns(), `cast(${MENTIONS_BRAND} as integer) as present`)}) r group by url_key
     ) c
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key`,
  ),
} as const;

export const reader: Reader<'sources'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const from = sourceOf(slice);
  if (from === 'runs') await requireRunsSince(context, slice.window.start, params);
  const { top, byName } = domainLists[from];
  const bindings = {
    brandKey: brand.key,
    ...slice.window,
    engines: slice.engines,
    ...(slice.runs ?? EVERY_RUN),
  };
  // The runs of the prompts may be deleted where the roll-up is not.
  const days = from === 'prompts' ? { days: (await daysOfPrompts(db, bindings)).map(({ day }) => day) } : {};
  const [found, extent] = await Promise.all([
    page
      ? byName(db, { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) })
      : top(db, { ...bindings, rows: CAPS.sources }),
    daysFields(context, slice, days),
  ]);
  const { rows, ...next } = page ? cutPage(page, found, (row) => [row.domain]) : { rows: found };
  return { brand: brandRefOf(brand), sources: await labelled(context, rows), ...extent, ...next };
};

/** What has the citations of a slice by domain. */
function sourceOf({ engines, runs, rolledUp }: Slice): keyof typeof domainLists {
  if (rolledUp) return 'every run';
  if (runs === null) return 'engines';
  return rollupOf(engines, runs) === 'prompts' ? 'prompts' : 'runs';
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
