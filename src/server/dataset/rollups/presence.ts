/**
 * The working tables that roll-ups are computed from, for the days being rebuilt: their runs, which entity is present in
 * which run, and what each run cites. Only the first three read stored rows, by the keys of the rows that they need (see
 * `probes.ts`), so the cost depends on the rebuilt days alone, whatever else is stored. All are analysed.
 */
import { FIRST_MENTION, mentionsOf } from '../../sums/run-choice.js';
import { probe } from '../probes.js';
import type { WorkingTable } from './rollup.js';

/** Names of tracked entities. */
const TRACKED_NAMES = `
  select name_key, entity from mention_names where brand_key = :brandKey and entity is not null`;

const OF_RUN = `id, day, collected_at, engine, model, surface, region, prompt_key, m_name, m_order, m_tone, c_url, c_title, f_query,
  quotes_negative + quotes_neutral + quotes_positive as quotes`;

/** One row per run, numbered by time, so that of two runs the newer one has the greater number. */
const numbered = (runs: string): string => `
  select cast(row_number() over (order by r.collected_at, r.id) as integer) as run, r.*,
    r.engine = any(:blended) as blended, 1 << array_position(:engines, r.engine) - 1 as engine_bit
  from ${runs} r`;

const EVERY_RUN = numbered(`
  unnest(cast(:days as date[])) as d(day)
  cross join lateral (
    select ${OF_RUN} from runs where brand_key = :brandKey and day >= d.day and day <= d.day order by day desc, id desc
  )`);

const ADDED_RUNS = numbered(`
  unnest(cast(:ids as text[])) as s(id) cross join lateral ${probe('runs', OF_RUN, 'id', 's.id collate "C"')}`);

const CITED_URLS = 'select distinct unnest(c_url) as url_key from rebuilt_runs';

/** One row per page that a run cites. @param urls A query of these pages. */
const rebuiltUrls = (urls: string): string => `
  select u.url_key, u.domain_key, e.entity is not null as own
  from (${urls}) c
  cross join lateral ${probe('cited_urls', 'url_key, domain_key', 'url_key', 'c.url_key')} u
  left join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key and e.entity = 0`;

/** Those that `rebuilt_urls` does not have. */
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

/** One row per place of the long lists. @param list The column with the list. */
export const longLists = (list: string, as: string): string => `
  select run, unnest(${list}) as ${as}, generate_subscripts(${list}, 1) as place
  from rebuilt_runs where cardinality(c_url) > ${LONG_LIST} offset 0`;

/** The condition of a run whose list is not long. */
export const HAS_SHORT_LIST = `cardinality(c_url) <= ${LONG_LIST}`;

/**
 * One row per citation: the 1-based place in the answer's list, whether the page is not cited before in that list, and
 * whether the run mentions the brand.
 */
const RUN_CITATIONS = `
  select c.run, c.day, c.engine, c.prompt_key, c.blended, c.engine_bit, c.place, c.url_key, c.title_key,
    coalesce(f.place, array_position(c.c_url, c.url_key)) = c.place as first, u.domain_key, u.own, p.run is not null as brand_present
  from (
    select run, day, engine, prompt_key, blended, engine_bit, c_url, unnest(c_url) as url_key,
      unnest(c_title) as title_key, generate_subscripts(c_url, 1) as place
    from rebuilt_runs offset 0
  ) c
  join rebuilt_urls u using (url_key)
  left join (
    select run, url_key, min(place) as place from (${longLists('c_url', 'url_key')}) l group by run, url_key
  ) f on f.run = c.run and f.url_key = c.url_key
  left join run_presence p on p.run = c.run and p.entity = 0`;

/**
 * In the order in which they must be filled.
 * @param of Every run of the days, or only the runs `:ids`.
 */
export const presenceTables = (of: 'every run' | 'added runs'): readonly WorkingTable[] => [
  { name: 'tracked_names', select: TRACKED_NAMES, analyzed: 'name_key' },
  {
    name: 'rebuilt_runs',
    select: of === 'every run' ? EVERY_RUN : ADDED_RUNS,
    analyzed: 'run, id, day, engine, prompt_key',
  },
  { name: 'rebuilt_urls', select: rebuiltUrls(CITED_URLS), adds: rebuiltUrls(NEW_URLS), analyzed: 'url_key' },
  { name: 'run_presence', select: RUN_PRESENCE, analyzed: 'run, entity' },
  {
    name: 'run_citations',
    select: RUN_CITATIONS,
    analyzed: 'day, engine, prompt_key, url_key, domain_key, own',
  },
];
