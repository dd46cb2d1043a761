import { enginesOfMask } from '../../../contract/engines.js';
import { TOOL_CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { TrackedPage } from '../../../contract/reads/tracked-pages.js';
import { statement } from '../../base/statement.js';
import { brandRefOf, type Reader } from './reader.js';

interface TrackedPageRow {
  /** Pages of the roster, before the cap. */
  total: number;
  url: string;
  title: string | null;
  addedAt: Date | null;
  citations: number;
  answers: number;
  firstCited: string | null;
  lastCited: string | null;
  engines: number;
  ranks: { provider: string; metric: string; value: number; fetched_at: string }[] | null;
}

/** The roster with lifetime sums, most cited first. */
const trackedRoster = statement<TrackedPageRow, { brandKey: number; rows: number }>(
  'tracked_roster',
  `with cited as (
     select url_key, sum(citations)::bigint as citations, sum(answers)::bigint as answers, min(day) as first,
       max(day) as last, bit_or(engines) as engines
     from day_tracked_url where brand_key = :brandKey group by url_key
   )
   select (count(*) over ())::bigint as total, u.url, t.title, t.added_at as "addedAt",
     coalesce(c.citations, 0)::bigint as citations, coalesce(c.answers, 0)::bigint as answers,
     c.first as "firstCited", c.last as "lastCited", coalesce(c.engines, 0) as engines, t.ranks
   from tracked_pages t
   join cited_urls u on u.brand_key = :brandKey and u.url_key = t.url_key
   left join cited c on c.url_key = t.url_key
   where t.brand_key = :brandKey
   order by coalesce(c.citations, 0) desc, u.url limit :rows`,
);

export const reader: Reader<'tracked-pages'> = async ({ db, brand }) => {
  const rows = await trackedRoster(db, { brandKey: brand.key, rows: TOOL_CAPS.trackedPages });
  const total = rows[0]?.total ?? 0;
  const caveats = noted([
    !brand.hasRuns && fact('totals_not_measured'),
    total > rows.length && fact('most_cited_pages', { shown: rows.length, total }),
  ]);
  return { brand: brandRefOf(brand), total, pages: rows.map(pageOf), ...caveats };
};

const pageOf = (row: TrackedPageRow): TrackedPage => ({
  url: row.url,
  title: row.title,
  added_at: row.addedAt?.toISOString() ?? null,
  citations_total: row.citations,
  answers_total: row.answers,
  first_cited: row.firstCited,
  last_cited: row.lastCited,
  engines: enginesOfMask(row.engines),
  ranks:
    row.ranks?.map(({ provider, metric, value, fetched_at }) => ({ provider, metric, value, fetched_at })) ??
    null,
});
