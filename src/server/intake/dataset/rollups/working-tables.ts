/**
 * Temporary tables of a transaction. Each is created once and truncated for each use: every table that a transaction
 * creates holds locks until its end, even if it is dropped, and the server has room for a few thousand locks.
 */
import type { Knex } from 'knex';
import { blendedEngineIds, engineIds } from '../../../../contract/engines.js';
import { FIRST_MENTION, mentionsOf, POSITION_WEIGHT } from '../../../answers/sums/run-choice.js';
import { probe } from '../probes.js';

/** A daily roll-up: how its rows are computed from the working tables, and how they are added to stored rows. */
export interface Rollup {
  /** Selects rows for some runs, with the columns of the table in their order. */
  readonly select: string;
  /** Selects these rows with the values of the stored rows added; if omitted, `select`. */
  readonly selectSum?: string;
  /** The key of a row besides `brand_key`. */
  readonly key: string;
  /** Columns that are sums. */
  readonly adds: readonly string[];
  /** How the other columns are merged, as assignments. */
  readonly sets?: readonly string[];
}

/** Adds the rows of a roll-up to those that the table has. */
export function addSql(table: string, { select, selectSum = select, key, adds, sets = [] }: Rollup): string {
  const sums = adds.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return `insert into ${table} ${selectSum} on conflict (brand_key, ${key}) do update set ${[...sums, ...sets].join(', ')}`;
}

export interface WorkingTable {
  readonly name: string;
  /** The query of its rows, which also determines its columns. */
  readonly select: string;
  /** The query of the rows that are added to those of the table; if omitted, the table has only the rows of `select`. */
  readonly adds?: string;
  /** The columns that later queries join and group by: the planner gets their statistics. */
  readonly analyzed: string;
}

/**
 * Selects the rows of some days. With only the array the planner may filter, and read every row of the brand; a range
 * is always looked up in the index.
 */
export const ON_DAYS = 'day >= :firstDay and day <= :lastDay and day = any(:days)';

/** The bindings of the queries of working tables and roll-ups. @param ids The ids of runs, for queries of added runs. */
export const bindingsOf = (brandKey: number, days: readonly string[], ids: readonly string[] = []) => ({
  brandKey,
  days,
  ids,
  firstDay: days[0] ?? null,
  lastDay: days.at(-1) ?? null,
  blended: blendedEngineIds,
  engines: engineIds,
});
/** Values of a step: one brand, its days in order. */
export type DaysBindings = ReturnType<typeof bindingsOf>;

type Bindings = Readonly<Record<string, unknown>>;

/** Creates the table unless the transaction has it already. */
export async function makeWorkingTable(
  trx: Knex.Transaction,
  { name, select }: WorkingTable,
  bindings: Bindings,
): Promise<void> {
  await trx.raw(
    `create temporary table if not exists ${name} on commit drop as ${select} with no data`,
    bindings,
  );
}

/** Replaces the table's rows, or adds to them. A table that this transaction created is truncated in place, without a new file or lock. */
export async function fillWorkingTable(
  trx: Knex.Transaction,
  { name, select, adds, analyzed }: WorkingTable,
  bindings: Bindings,
): Promise<void> {
  if (!adds) await trx.raw(`truncate ${name}`);
  await trx.raw(`insert into ${name} ${adds ?? select}`, bindings);
  await trx.raw(`analyze ${name} (${analyzed})`);
}

// The working tables that roll-ups are computed from, for the days being rebuilt: their runs, which entity is present
// in which run, and what each run cites. Only the first four read stored rows, by the keys of the rows that they need
// (see `probes.ts`), so the cost depends on the rebuilt days only, whatever else is stored. All are analysed.

const TRACKED_NAMES = `
  select name_key, entity from mention_names where brand_key = :brandKey and entity is not null`;

const OF_RUN = `id, day, collected_at, engine, model, surface, region, prompt_key, m_name, m_order, m_tone, c_url, c_title, f_query,
  states_outcome, observes, tracked_names, quotes_negative + quotes_neutral + quotes_positive as quotes`;

/**
 * One row per run, numbered by time, so that of two runs the newer one has the greater number. `ends` counts the citations of
 * the run and of all older ones.
 */
const numbered = (runs: string): string => `
  select cast(row_number() over by_time as integer) as run, cast(sum(cardinality(c_url)) over by_time as integer) as ends, r.*,
    r.engine = any(:blended) as blended, 1 << array_position(:engines, r.engine) - 1 as engine_bit
  from ${runs} r
  window by_time as (order by r.collected_at, r.id rows unbounded preceding)`;

const EVERY_RUN = numbered(`
  unnest(cast(:days as date[])) as d(day)
  cross join lateral (
    select ${OF_RUN} from runs where brand_key = :brandKey and day >= d.day and day <= d.day order by day desc, id desc
  )`);

const ADDED_RUNS = numbered(`
  unnest(cast(:ids as text[])) as s(id) cross join lateral ${probe('runs', OF_RUN, 'id', 's.id collate "C"')}`);

const OF_UNSHOWN = 'id, day, engine, region, surface, prompt_key';

const EVERY_UNSHOWN = `
  select r.* from unnest(cast(:days as date[])) as d(day)
  cross join lateral (
    select ${OF_UNSHOWN} from unshown_runs
    where brand_key = :brandKey and day >= d.day and day <= d.day order by day desc, id desc
  ) r`;

const ADDED_UNSHOWN = `
  select r.* from unnest(cast(:ids as text[])) as s(id)
  cross join lateral ${probe('unshown_runs', OF_UNSHOWN, 'id', 's.id collate "C"')} r`;

const CITED_URLS = 'select distinct unnest(c_url) as url_key from rebuilt_runs';

/** One row per page that a run cites. @param urls A query of these pages. */
const rebuiltUrls = (urls: string): string => `
  select u.url_key, u.domain_key, e.entity is not null as own
  from (${urls}) c
  cross join lateral ${probe('cited_urls', 'url_key, domain_key', 'url_key', 'c.url_key')} u
  left join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key and e.entity = 0`;

/** The cited pages that `rebuilt_urls` does not have. */
const NEW_URLS = `
  select c.url_key from (${CITED_URLS}) c
  where not exists (select 1 from rebuilt_urls kept where kept.url_key = c.url_key)`;

/** One row per run and entity. */
const RUN_PRESENCE = `
  select m.run, n.entity, ${FIRST_MENTION}
  from (${mentionsOf('rebuilt_runs', 'run')}) m
  join tracked_names n using (name_key)
  group by m.run, n.entity`;

/** A run with more citations than these has a long list, which is not searched for each of them. */
const LONG_LIST = 256;

/** Whether each place of a long list has the first citation of its page. Null: the list is not long. */
const FIRST_PLACES = `case when cardinality(c_url) > ${LONG_LIST} then (
      select array_agg(place = first order by place)
      from (
        select place, min(place) over (partition by url_key) as first from unnest(c_url) with ordinality as l(url_key, place)
      ) places
    ) end`;

/**
 * One row per citation: the 1-based place in the answer's list, whether the page is not cited before in that list, and
 * whether the run mentions the brand. Of two citations the one in the newer run, or before the other in the list of the same
 * run, has the greater number.
 */
const RUN_CITATIONS = `
  select c.run, c.ends - c.place as number, c.day, c.engine, c.prompt_key, c.blended, c.engine_bit, c.place, c.url_key, c.title_key,
    coalesce(c.first, array_position(c.c_url, c.url_key) = c.place) as first, u.domain_key, u.own,
    p.run is not null as brand_present
  from (
    select run, ends, day, engine, prompt_key, blended, engine_bit, c_url, unnest(c_url) as url_key, unnest(c_title) as title_key,
      generate_subscripts(c_url, 1) as place, unnest(${FIRST_PLACES}) as first
    from rebuilt_runs offset 0
  ) c
  join rebuilt_urls u using (url_key)
  left join run_presence p on p.run = c.run and p.entity = 0`;

/** The runs on blended engines that name a rival and not the brand, which is entity 0. */
const RUN_RIVALS = `
  select r.run, r.day, r.prompt_key, r.engine_bit
  from (select run from run_presence group by run having min(entity) > 0) p
  join rebuilt_runs r using (run) where r.blended`;

/** One row per domain that such a run cites. */
const RUN_RIVAL_DOMAINS = `
  select distinct r.run, r.day, r.prompt_key, r.engine_bit, c.domain_key
  from run_rivals r join run_citations c using (run)`;

/** One row per run and entity that it mentions, and one per citation of an entity. Integers are summed faster than others. */
const RUN_ENTITIES = `
  select r.day, r.engine, r.region, r.surface, r.prompt_key, r.blended, e.*
  from (
    select run, entity, 1 as present_runs, position as position_sums, cast(${POSITION_WEIGHT} as integer) as weight_sums,
      coalesce(cast(tone = 1 as integer), 0) as positives, coalesce(cast(tone = 0 as integer), 0) as neutrals,
      coalesce(cast(tone = -1 as integer), 0) as negatives, 0 as entity_citations
    from run_presence
    union all
    select c.run, d.entity, 0, 0, 0, 0, 0, 0, 1
    from run_citations c
    join domain_entities d on d.brand_key = :brandKey and d.domain_key = c.domain_key
  ) e
  join rebuilt_runs r using (run)`;

/**
 * In the order in which they must be filled.
 * @param of Every run of the days, or only the runs `:ids`.
 */
export const presenceTables = (of: 'every run' | 'added runs'): readonly WorkingTable[] => [
  { name: 'tracked_names', select: TRACKED_NAMES, analyzed: 'name_key, entity' },
  {
    name: 'rebuilt_runs',
    select: of === 'every run' ? EVERY_RUN : ADDED_RUNS,
    analyzed: 'run, id, day, engine, prompt_key',
  },
  {
    name: 'rebuilt_unshown',
    select: of === 'every run' ? EVERY_UNSHOWN : ADDED_UNSHOWN,
    analyzed: 'day, engine, region, surface, prompt_key',
  },
  { name: 'rebuilt_urls', select: rebuiltUrls(CITED_URLS), adds: rebuiltUrls(NEW_URLS), analyzed: 'url_key' },
  { name: 'run_presence', select: RUN_PRESENCE, analyzed: 'run, entity' },
  {
    name: 'run_citations',
    select: RUN_CITATIONS,
    analyzed: 'day, engine, prompt_key, url_key, domain_key, own',
  },
  { name: 'run_rivals', select: RUN_RIVALS, analyzed: 'run, day, prompt_key' },
  { name: 'run_rival_domains', select: RUN_RIVAL_DOMAINS, analyzed: 'run, day, prompt_key, domain_key' },
  {
    name: 'run_entities',
    select: RUN_ENTITIES,
    analyzed: 'day, engine, region, surface, prompt_key, entity',
  },
];
