import { TOOL_CAPS } from '../../../contract/limits.js';
import { daysIn, everyDayOf } from '../../base/days.js';
import { type BrandWindow, plannedStatement, statement } from '../../base/statement.js';
import { labelsOf } from './domain-labels.js';
import { brandRefOf, type Reader } from './reader.js';
import { sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface CoverageRow {
  promptKey: number;
  id: string;
  text: string;
  runs: number;
  ownCitations: number;
}

/** Every active prompt with its runs and citations of the brand in the window, oldest first. */
const promptCoverage = statement<CoverageRow, BrandWindow>(
  'prompt_coverage',
  `select p.prompt_key as "promptKey", p.id, p.text, coalesce(d.runs, 0)::bigint as runs,
     coalesce(d.own, 0)::bigint as "ownCitations"
   from prompts p
   left join (
     select prompt_key, sum(run_count) as runs, sum(own_citations) as own
     from day_prompt where brand_key = :brandKey and day between :start and :end group by prompt_key
   ) d on d.prompt_key = p.prompt_key
   where p.brand_key = :brandKey and p.active
   order by p.created_at nulls last, p.id`,
);

/** The brand's pages that each prompt's answers cite, most cited first. */
const ownPagesCited = plannedStatement<{ promptKey: number; url: string; citations: number }, BrandWindow>(
  'own_pages_cited',
  `select o.prompt_key as "promptKey", u.url, o.citations
   from (
     select prompt_key, url_key, sum(citations)::bigint as citations
     from (
       select prompt_key, unnest(url_keys) as url_key, unnest(citations) as citations
       from day_prompt_own_urls where brand_key = :brandKey and day between :start and :end
     ) cited
     group by prompt_key, url_key
   ) o
   join cited_urls u on u.brand_key = :brandKey and u.url_key = o.url_key
   order by o.prompt_key, o.citations desc, u.url`,
);

/**
 * The most cited domains of each active prompt, without the brand's own and without URLs that have no host. Each prompt is
 * summed for itself, so that what is sorted fits in the processor's cache; names are compared only down to the last rank, ties
 * included. The days are listed, so that the index finds the rows of each.
 */
const promptWinners = plannedStatement<
  { promptKey: number; domain: string; citations: number },
  { brandKey: number; days: readonly string[]; rows: number }
>(
  'prompt_winners',
  `with left_out as materialized (
     select domain_key from domain_entities where brand_key = :brandKey and entity = 0
     union all
     select domain_key from cited_domains where brand_key = :brandKey and hash = sha256('')
   ),
   top as materialized (
     select p.prompt_key, w.domain_key, w.citations
     from prompts p
     cross join lateral (
       select domain_key, citations
       from (
         select domain_key, sum(citations) as citations
         from (
           select unnest(domain_keys) as domain_key, unnest(citations) as citations from day_prompt_domains
           where brand_key = :brandKey and day = any(cast(:days as date[])) and prompt_key = p.prompt_key offset 0
         ) cited
         group by domain_key offset 0
       ) summed
       where domain_key <> all(array(select domain_key from left_out))
       order by citations desc fetch first :rows rows with ties
     ) w
     where p.brand_key = :brandKey and p.active
   ),
   ranked as (
     select t.prompt_key, d.domain, t.citations,
       row_number() over (partition by t.prompt_key order by t.citations desc, d.domain) as place
     from top t
     join cited_domains d on d.brand_key = :brandKey and d.domain_key = t.domain_key
   )
   select prompt_key as "promptKey", domain, citations from ranked where place <= :rows
   order by prompt_key, place`,
);

export const reader: Reader<'content-coverage'> = async (context, params) => {
  const { db, brand } = context;
  const slice = await sliceOf(context, params);
  const window = { brandKey: brand.key, ...slice.window };
  const [rows, own, winners, days] = await Promise.all([
    promptCoverage(db, window),
    ownPagesCited(db, window),
    promptWinners(db, { brandKey: brand.key, days: everyDayOf(slice.window), rows: TOOL_CAPS.winners }),
    daysFields(context, slice),
  ]);
  const label = await labelsOf(
    context,
    winners.map(({ domain }) => domain),
  );
  const ownOf = byPrompt(own);
  const winnersOf = byPrompt(winners);
  const prompts = rows.map(({ promptKey, id, text, runs, ownCitations }) => ({
    prompt_id: id,
    text,
    run_count: runs,
    cites_own: runs === 0 ? null : ownCitations > 0,
    own_pages: (ownOf.get(promptKey) ?? []).map(({ url, citations }) => ({ url, citations })),
    winners: (winnersOf.get(promptKey) ?? []).map(({ domain, citations }) => ({
      domain,
      classification: label(domain).classification,
      citations,
    })),
  }));
  const totals = {
    prompts: prompts.length,
    measured: prompts.filter(({ run_count }) => run_count > 0).length,
    covered: prompts.filter(({ cites_own }) => cites_own === true).length,
  };
  const { note, notes, measured } = days;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(slice.window),
    totals,
    prompts,
    window: days.window,
    measured,
    note,
    notes,
  };
};

/** Rows under the prompt that they belong to, in the order in which they came. */
function byPrompt<Row extends { promptKey: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.promptKey);
    if (group) group.push(row);
    else groups.set(row.promptKey, [row]);
  }
  return groups;
}
