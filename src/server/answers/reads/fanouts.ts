import { engineIds, inTableOrder } from '../../../contract/engines.js';
import { TOOL_CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { daysIn } from '../../base/days.js';
import { digest } from '../../base/hashed-text.js';
import { type BrandWindow, statement } from '../../base/statement.js';
import { brandRefOf, type Reader } from './reader.js';
import { sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface FanoutRow {
  /** Distinct queries of the window, before the cap. */
  total: number;
  query: string;
  runs: number;
  engines: string[];
  promptIds: string[];
  promptTexts: string[];
}

/**
 * The searches of a window with the most answers, on any engine, in two steps: first the sums down to the last row, ties
 * included, then the engines and prompts of these rows.
 */
const topFanouts = statement<FanoutRow, BrandWindow & { rows: number }>(
  'top_fanouts',
  `with summed as materialized (
     select query_key, sum(runs)::bigint as runs
     from day_fanout where brand_key = :brandKey and day between :start and :end group by query_key
   ),
   top as materialized (
     select s.query_key, s.runs, q.query
     from summed s
     join fanout_queries q on q.brand_key = :brandKey and q.query_key = s.query_key
     where s.runs >= coalesce((select runs from summed order by runs desc offset :rows - 1 limit 1), 0)
     order by s.runs desc, q.query limit :rows
   ),
   ran as (
     select distinct f.query_key, f.engine, f.prompt_key
     from day_fanout f join top t on t.query_key = f.query_key
     where f.brand_key = :brandKey and f.day between :start and :end
   ),
   engines as (select query_key, array_agg(distinct engine) as engines from ran group by query_key),
   asked as (
     select r.query_key, array_agg(p.id order by p.id) as ids, array_agg(p.text order by p.id) as texts
     from (select distinct query_key, prompt_key from ran) r
     join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
     group by r.query_key
   )
   select (select count(*) from summed)::bigint as total, t.query, t.runs, e.engines,
     a.ids as "promptIds", a.texts as "promptTexts"
   from top t
   join engines e on e.query_key = t.query_key
   join asked a on a.query_key = t.query_key
   order by t.runs desc, t.query`,
);

/** Measured volumes of some searches, by their hashes: a text may be too long for an index. */
const fanoutVolumes = statement<{ query: string; volume: number }, { hashes: readonly string[] }>(
  'fanout_volumes',
  `select v.query, v.volume from fanout_volumes v
   where v.hash in (select cast(h as bytea) from unnest(cast(:hashes as text[])) as h)`,
);

export const reader: Reader<'fanouts'> = async (context, params) => {
  const { db, brand } = context;
  const slice = await sliceOf(context, params, engineIds);
  const window = { brandKey: brand.key, ...slice.window };
  const [rows, days] = await Promise.all([
    topFanouts(db, { ...window, rows: TOOL_CAPS.fanouts }),
    daysFields(context, slice),
  ]);
  const volumes = await fanoutVolumes(db, { hashes: rows.map(({ query }) => digest(query)) });
  const volumeOf = new Map(volumes.map(({ query, volume }) => [query, volume]));
  const total = rows[0]?.total ?? 0;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(slice.window),
    total,
    fanouts: rows.map(({ query, runs, engines, promptIds, promptTexts }) => ({
      query,
      runs,
      engines: inTableOrder(engines),
      prompts: promptIds,
      is_echo: isEcho(query, promptTexts),
      volume: volumeOf.get(query) ?? null,
    })),
    window: days.window,
    measured: days.measured,
    ...noted([
      days.notes,
      total > rows.length && fact('most_frequent_searches', { shown: rows.length, total }),
    ]),
  };
};

/**
 * Normalises a text for comparison: removes case, white space and punctuation, and unifies full-width, ligature and
 * composed forms. Symbols are kept, because C++ and C differ. The text is converted to upper case and back, because
 * only that makes ẞ, ß and SS equal.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

/** Whether the search equals one of the prompts that it was run for, both normalised by `foldedText`. */
export function isEcho(query: string, prompts: readonly string[]): boolean {
  const folded = foldedText(query);
  return prompts.some((prompt) => foldedText(prompt) === folded);
}
