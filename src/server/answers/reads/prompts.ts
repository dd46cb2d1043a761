import { averagePosition, measureValue } from '../../../contract/measures.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import { type BrandWindow, plannedStatement, statement, type WindowBindings } from '../../base/statement.js';
import { NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { round, roundedValue } from '../metrics/values.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type Reader } from './reader.js';
import { sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface PromptRow {
  id: string;
  text: string;
  stage: string;
  topic_id: string | null;
  topic_name: string | null;
  tags: string[];
  est_volume: number | null;
  est_volume_low: number | null;
  est_volume_high: number | null;
  volume_confidence: string | null;
  matched_gsc_query: string | null;
  gsc_impressions_28d: number | null;
  runs: number;
  present: number;
  positionSum: number;
  weightSum: number;
}

const columns = `p.id, p.text, p.stage, p.topic_id, t.name as topic_name, p.tags, p.est_volume, p.est_volume_low,
  p.est_volume_high, p.volume_confidence, p.matched_gsc_query, p.gsc_impressions_28d,
  coalesce(d.runs, 0)::bigint as runs, coalesce(d.present, 0)::bigint as present,
  coalesce(d.positions, 0)::bigint as "positionSum", coalesce(d.weights, 0)::bigint as "weightSum"`;

/**
 * Two lists of active prompts with their sums over a window: of all, oldest first, and by id, after a given one.
 * @param create `plannedStatement` if the sums are of many rows.
 * @param sums A query of sums by prompt.
 */
const listsOf = <B extends BrandWindow>(create: typeof statement, name: string, sums: string) => {
  const listed = `select ${columns} from prompts p
    left join topics t on t.brand_key = :brandKey and t.id = p.topic_id
    left join (${sums}
    ) d on d.prompt_key = p.prompt_key
    where p.brand_key = :brandKey and p.active`;
  return {
    byAge: create<PromptRow, B>(`${name}_by_age`, `${listed} order by p.created_at nulls last, p.id`),
    byId: create<PromptRow, B & { after: string | null; rows: number }>(
      `${name}_by_id`,
      `${listed} and (cast(:after as text) is null or p.id > :after) order by p.id limit :rows`,
    ),
  };
};

/** The prompts on the blended engines. */
const blendedPrompts = listsOf(
  statement,
  'prompts',
  `
    select prompt_key, sum(run_count) as runs, sum(present_runs) as present, sum(position_sum) as positions,
      sum(weight_sum) as weights
    from day_prompt where brand_key = :brandKey and day between :start and :end group by prompt_key`,
);

/** The prompts on some engines. */
const enginePrompts = listsOf<WindowBindings>(
  plannedStatement,
  'engine_prompts',
  `
    select prompt_key, sum(runs) as runs, sum(present) as present, sum(positions) as positions, sum(weights) as weights
    from (
      select unnest(prompt_keys) as prompt_key, unnest(run_counts) as runs, unnest(brand_runs) as present,
        unnest(brand_positions) as positions, unnest(brand_weights) as weights
      from day_engine_prompts
      where brand_key = :brandKey and day between :start and :end and engine = any(:engines) offset 0
    ) listed
    group by prompt_key`,
);

/** Tag groups in creation order; of each group's tags those that an active prompt carries. */
const tagGroups = statement<
  { id: string; name: string; color: string; tags: string[] },
  { brandKey: number }
>(
  'tag_groups',
  `select g.id, g.name, g.color, coalesce((
     select array_agg(m.tag order by m.place) from unnest(g.tags) with ordinality as m(tag, place)
     where exists (select 1 from prompts p where p.brand_key = :brandKey and p.active and m.tag = any(p.tags))
   ), '{}') as tags
   from tag_groups g where g.brand_key = :brandKey
   order by g.created_at nulls last, g.id`,
);

export const reader: Reader<'prompts'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { engines, window } = slice;
  const found = slice.rolledUp ? blendedPrompts : enginePrompts;
  const bindings = { brandKey: brand.key, engines, ...window };
  const [tag_groups, extent] = await Promise.all([
    tagGroups(db, { brandKey: brand.key }),
    daysFields(context, slice),
  ]);
  const prompts = await (page
    ? found.byId(db, { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) })
    : found.byAge(db, bindings));
  const { rows, ...next } = page ? cutPage(page, prompts, (row) => [row.id]) : { rows: prompts };
  return { brand: brandRefOf(brand), tag_groups, prompts: rows.map(promptOf), ...extent, ...next };
};

/** Never sampled in the window (no run) is null; sampled and absent is 0 with a run_count above 0. */
function promptOf(row: PromptRow): Prompt {
  const { est_volume_low: low, est_volume_high: high, present, positionSum, weightSum } = row;
  const sums = {
    totals: { ...NO_RUNS, runs: row.runs },
    entity: { ...NO_SUMS, present, positionSum, weightSum },
    hasDomain: false,
  };
  return {
    id: row.id,
    text: row.text,
    stage: row.stage,
    topic: row.tags[0] ?? null,
    topic_id: row.topic_id,
    topic_name: row.topic_name,
    tags: row.tags,
    est_volume: row.est_volume,
    est_volume_band: low === null || high === null ? null : [low, high],
    volume_confidence: row.volume_confidence,
    matched_gsc_query: row.matched_gsc_query,
    gsc_impressions_28d: row.gsc_impressions_28d,
    presence_rate: roundedValue('presence_rate', measureValue('presence_rate', sums)),
    visibility: round(measureValue('visibility', sums), 0),
    avg_position: averagePosition.value(row),
    run_count: row.runs,
  };
}
