/** The numbers of many brands at once: a few statements, however many brands there are. */
import type { EntitySums } from '../../../contract/measures.js';
import type { BrandSummary } from '../../../contract/reads/brands.js';
import { rankIn } from '../../../contract/summary.js';
import { daysIn, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { type Db, plannedStatement } from '../../base/statement.js';
import { changeOf, isOtherPanel, type PanelOverlap, type SurfaceRuns } from '../metrics/change.js';
import { NO_SUMS } from '../metrics/samples.js';
import { roundedValue, scoresOf } from '../metrics/values.js';
import { byPrompt, rowsOf } from '../sums/entity-sums.js';
import { gapOf, type NameGap } from '../sums/name-gaps.js';
import { gapsIn, sampleIn } from './comparison.js';

/** A brand, the last day of its window, and its needs as last counted. */
export interface SummarisedBrand {
  readonly key: number;
  readonly name: string;
  readonly domain: string;
  readonly end: string;
  readonly needs: number | null;
}

interface SummaryBindings extends Record<string, unknown> {
  readonly keys: readonly number[];
  /** The last day of the window of each brand. */
  readonly ends: readonly string[];
  readonly windowDays: number;
}

const WINDOWS = `(
  select brand_key, last, last - cast(:windowDays as integer) + 1 as first, last - 2 * cast(:windowDays as integer) + 1 as prior
  from unnest(cast(:keys as integer[]), cast(:ends as date[])) as given(brand_key, last)
) w`;

/** The rows of both windows, of the blended engines. */
const CELLS = `
  select r.*, r.day >= w.first as is_current from ${WINDOWS}
  join day_brand r on r.brand_key = w.brand_key and r.day between w.prior and w.last`;

interface SummaryRow {
  brandKey: number;
  /** Both windows, in the order of the days. Shares of voice are of the window only, and need the presences of all. */
  days: { day: string; runs: number; presences: number; present: number; weightSum: number }[] | null;
  surfaces: SurfaceRuns[] | null;
  /** Runs of days whose prompts a day of the other window has too. There may be more of shared prompts. */
  panel: PanelOverlap;
}

/** A brand without answers has no row. */
const summarySums = plannedStatement<SummaryRow, SummaryBindings>(
  'summary_sums',
  `with cells as materialized (
     select brand_key, day, is_current, run_count, presences, present_runs, weight_sum, surfaces, surface_runs, panel_hash
     from (${CELLS}) c
   ),
   by_surface as (
     select brand_key, surface, coalesce(sum(runs) filter (where is_current), 0)::bigint as runs,
       coalesce(sum(runs) filter (where not is_current), 0)::bigint as "previousRuns"
     from (select brand_key, is_current, unnest(surfaces) as surface, unnest(surface_runs) as runs from cells offset 0) s
     group by brand_key, surface
   ),
   by_panel as (
     select brand_key,
       coalesce(sum(now), 0)::bigint as "currentRuns",
       coalesce(sum(now) filter (where past > 0), 0)::bigint as "currentShared",
       coalesce(sum(past), 0)::bigint as "previousRuns",
       coalesce(sum(past) filter (where now > 0), 0)::bigint as "previousShared"
     from (
       select brand_key, sum(run_count) filter (where is_current) as now,
         sum(run_count) filter (where not is_current) as past
       from cells group by brand_key, panel_hash
     ) p
     group by brand_key
   )
   select d.brand_key as "brandKey", d.days, s.surfaces, to_json(p) as panel
   from (
     select brand_key, json_agg(json_build_object('day', day, 'runs', run_count, 'presences', presences,
       'present', present_runs, 'weightSum', weight_sum) order by day) as days
     from cells group by brand_key
   ) d
   join by_panel p on p.brand_key = d.brand_key
   left join (
     select brand_key, json_agg(json_build_object('surface', surface, 'runs', runs, 'previousRuns', "previousRuns")
       order by surface) as surfaces
     from by_surface group by brand_key
   ) s on s.brand_key = d.brand_key`,
);

interface EntityRow {
  brandKey: number;
  entity: number;
  present: number;
}

/** The answers of the window that name each tracked competitor, on the days of which it is measured. */
const summaryEntities = plannedStatement<EntityRow, SummaryBindings>(
  'summary_entities',
  `select t.brand_key as "brandKey", t.entity, coalesce(n.present, 0)::bigint as present
   from competitors t
   left join (
     select s.brand_key, s.entity, sum(s.present) as present
     from (
       select brand_key, day, unnest(entities) as entity, unnest(entity_runs) as present
       from (${CELLS}) c where is_current offset 0
     ) s
     left join name_gaps g on g.brand_key = s.brand_key and g.entity = s.entity
     where g.measured_since is null or s.day >= g.measured_since
     group by s.brand_key, s.entity
   ) n on n.brand_key = t.brand_key and n.entity = t.entity
   where t.brand_key = any(cast(:keys as integer[])) and t.retired_at is null`,
);

/** The gaps of tracked entities that reach behind the first day of the window before. */
const summaryGaps = plannedStatement<NameGap & { brandKey: number }, SummaryBindings>(
  'summary_gaps',
  `select g.brand_key as "brandKey", g.entity, c.name, g.measured_since as "measuredSince",
     g.spelled_since as "spelledSince", g.cited_since as "citedSince"
   from ${WINDOWS}
   join name_gaps g on g.brand_key = w.brand_key
     and greatest(g.measured_since, g.spelled_since, g.cited_since) > w.prior
   left join competitors c on c.brand_key = g.brand_key and c.entity = g.entity
   where g.entity = 0 or c.retired_at is null
   order by g.brand_key, g.entity`,
);

/** The overlap prompt by prompt, of the brands whose days have other prompts from day to day. */
const summaryPanels = plannedStatement<{ brandKey: number; panel: PanelOverlap[] }, SummaryBindings>(
  'summary_panels',
  `select w.brand_key as "brandKey", p.panel
   from ${WINDOWS}
   cross join lateral (
     select ${rowsOf(
       byPrompt(
         `(
         select day, unnest(prompt_keys) as prompt_key, unnest(prompt_runs) as run_count from day_region_entities
         where brand_key = w.brand_key and day between w.prior and w.last offset 0
       ) asked`,
       ).replaceAll(':start', 'w.first'),
     )} as panel
   ) p`,
);

/**
 * The summaries by key of the brand. Whatever a summary has of a brand, `overview` and `competitors` have of the same days.
 * @param days The length of the windows.
 */
export async function summariesOf(
  db: Db,
  brands: readonly SummarisedBrand[],
  days: number,
): Promise<ReadonlyMap<number, BrandSummary>> {
  if (brands.length === 0) return new Map();
  const bindingsOf = (some: readonly SummarisedBrand[]): SummaryBindings => ({
    keys: some.map(({ key }) => key),
    ends: some.map(({ end }) => end),
    windowDays: days,
  });
  const bindings = bindingsOf(brands);
  const [sums, entities, gaps] = await Promise.all([
    summarySums(db, bindings),
    summaryEntities(db, bindings),
    summaryGaps(db, bindings),
  ]);
  const sumsOf = new Map(sums.map((row) => [row.brandKey, row]));
  const others = brands.filter(({ key }) => isOtherPanel(sumsOf.get(key)?.panel ?? NO_PANEL));
  const panels = others.length === 0 ? [] : await summaryPanels(db, bindingsOf(others));
  const panelOf = new Map(panels.map(({ brandKey, panel }) => [brandKey, panel[0]!]));
  const rivalsOf = grouped(entities);
  const gapsOf = grouped(gaps);
  return new Map(
    brands.map((brand) => {
      const { key } = brand;
      const row = sumsOf.get(key);
      const found = { row, panel: panelOf.get(key) ?? row?.panel ?? NO_PANEL };
      const rest = { rivals: rivalsOf.get(key) ?? [], gaps: gapsOf.get(key) ?? [] };
      return [key, summaryOf(brand, windowEnding(brand.end, days), { ...found, ...rest })];
    }),
  );
}

const NO_PANEL: PanelOverlap = { currentRuns: 0, currentShared: 0, previousRuns: 0, previousShared: 0 };

function grouped<Row extends { readonly brandKey: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(row.brandKey, [...(groups.get(row.brandKey) ?? []), row]);
  return groups;
}

interface Found {
  readonly row: SummaryRow | undefined;
  readonly panel: PanelOverlap;
  readonly rivals: readonly EntityRow[];
  readonly gaps: readonly NameGap[];
}

function summaryOf(
  { name, domain, needs }: SummarisedBrand,
  window: Window,
  { row, panel, rivals, gaps }: Found,
): BrandSummary {
  const prior = windowBefore(window);
  const days = (row?.days ?? []).map((day) => ({ ...day, citations: 0 }));
  const byDay = new Map(
    days.map(({ day, present, weightSum }): [string, EntitySums] => [
      day,
      { ...NO_SUMS, present, weightSum },
    ]),
  );
  const sums = { days, entities: new Map([[0, byDay]]), gaps };
  const windows = { window, prior };
  const current = sampleIn(window, sums, { entity: 0, domain });
  const { share_of_voice_fraction, presence_rate, visibility } = scoresOf(
    ['visibility', 'presence_rate', 'share_of_voice_fraction'],
    current,
  );
  const place = rankIn([
    { is_brand: true, share_of_voice_fraction },
    ...rivals.map((rival) => ({ is_brand: false, share_of_voice_fraction: shareOf(rival, window, sums) })),
  ]);
  return {
    window: { ...window, days: daysIn(window) },
    presence_rate,
    visibility,
    change: {
      presence_rate: changeOf('presence_rate', {
        current,
        previous: sampleIn(prior, sums, { entity: 0, domain }),
        panel,
        surfaces: row?.surfaces ?? [],
        ...gapsIn(sums, 0, name, windows),
      }),
    },
    rank: place?.rank ?? null,
    ranked: place?.of ?? null,
    needs,
  };
}

/** The share of voice on the days of the window on which the competitor is measured. */
function shareOf(
  { entity, present }: EntityRow,
  { start }: Window,
  {
    days,
    gaps,
  }: { readonly days: readonly { day: string; runs: number; presences: number }[]; gaps: readonly NameGap[] },
): number | null {
  const since = gapOf(gaps, entity)?.measuredSince ?? start;
  const measured = days.filter(({ day }) => day >= start && day >= since);
  if (measured.length === 0) return null;
  const presences = measured.reduce((sum, day) => sum + day.presences, 0);
  return presences === 0 ? 0 : roundedValue('share_of_voice_fraction', present / presences);
}
