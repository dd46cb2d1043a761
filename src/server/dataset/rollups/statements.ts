/** The roll-ups, each with the statement that computes rows from runs. Rounding and nulls are left to the reads. */
import { POSITION_WEIGHT } from '../../sums/run-choice.js';
import { probe } from '../probes.js';
import { HAS_SHORT_LIST, longLists, ON_DAYS, type Rollup } from './working-tables.js';

/** What arrays of a roll-up count: `key` of the rows of `from`. */
interface Counted {
  readonly table: string;
  /** The key of a row besides `brand_key`. */
  readonly of: string;
  /** The column that is counted. */
  readonly key: string;
  /** The columns of the arrays. */
  readonly keys: string;
  readonly counts: string;
  /** Rows of working tables, with the condition of those that count. */
  readonly from: string;
}

/**
 * For many keys an array of the keys and one of how often each occurs, in any order. The rows are added to those that the
 * stored row has.
 */
const counted = ({ table, of, key, keys, counts, from }: Counted): string => `
    select ${of}, array_agg(${key}) as ${keys}, array_agg(times) as ${counts}
    from (
      select ${of}, ${key}, cast(sum(times) as integer) as times
      from (
        select ${of}, ${key}, 1 as times from ${from}
        union all
        select ${of}, unnest(${keys}), unnest(${counts})
        from (
          select ${of}, ${keys}, ${counts} from ${table} where brand_key = :brandKey and ${ON_DAYS}
        ) d
        join (select distinct ${of} from ${from}) c using (${of})
      ) each
      group by ${of}, ${key}
    ) summed
    group by ${of}`;

/** A roll-up of such arrays only. */
const countedKeys = (arrays: Counted): Rollup => ({
  key: arrays.of,
  adds: [],
  sets: [`${arrays.keys} = excluded.${arrays.keys}`, `${arrays.counts} = excluded.${arrays.counts}`],
  select: `select :brandKey, * from (${counted(arrays)}) arrays`,
});

/** The citations of each prompt by `key`. @param chosen Which citations count. */
const citedByPrompt = (table: string, key: string, chosen: string): Rollup =>
  countedKeys({
    table,
    of: 'day, prompt_key',
    key,
    keys: `${key}s`,
    counts: 'citations',
    from: `run_citations where ${chosen}`,
  });

export const ROLLUPS: Readonly<Record<string, Rollup>> = {
  /** Denominators, every engine. */
  day_scope: {
    key: 'day, engine',
    adds: ['run_count', 'citations', 'quotes'],
    select: `
    select :brandKey, day, engine, count(*), sum(cardinality(c_url)), sum(quotes)
    from rebuilt_runs group by day, engine`,
  },

  /** Presence, positions, tones and citations of the brand and its competitors, every engine. */
  day_entity: {
    key: 'day, engine, entity',
    adds: ['present_runs', 'position_sum', 'weight_sum', 'positive', 'neutral', 'negative', 'citations'],
    select: `
    select :brandKey, day, engine, entity, sum(present), sum(position_sum), sum(weight_sum),
      sum(positive), sum(neutral), sum(negative), sum(citations)
    from (
      select r.day, r.engine, p.entity, count(*) as present, sum(p.position) as position_sum,
        sum(${POSITION_WEIGHT}) as weight_sum, count(*) filter (where p.tone = 1) as positive,
        count(*) filter (where p.tone = 0) as neutral, count(*) filter (where p.tone = -1) as negative, 0 as citations
      from run_presence p join rebuilt_runs r using (run) group by r.day, r.engine, p.entity
      union all
      select c.day, c.engine, e.entity, 0, 0, 0, 0, 0, 0, count(*)
      from run_citations c
      join domain_entities e on e.brand_key = :brandKey and e.domain_key = c.domain_key
      group by c.day, c.engine, e.entity
    ) parts
    group by day, engine, entity`,
  },

  day_prompt: {
    key: 'day, prompt_key',
    adds: ['run_count', 'present_runs', 'position_sum', 'weight_sum', 'own_citations'],
    select: `
    select :brandKey, day, prompt_key, sum(runs), sum(present), sum(position_sum), sum(weight_sum), sum(own)
    from (
      select r.day, r.prompt_key, count(*) as runs, count(p.run) as present, coalesce(sum(p.position), 0) as position_sum,
        coalesce(sum(${POSITION_WEIGHT}), 0) as weight_sum, 0 as own
      from rebuilt_runs r left join run_presence p on p.run = r.run and p.entity = 0
      where r.blended group by r.day, r.prompt_key
      union all
      select day, prompt_key, 0, 0, 0, 0, count(*)
      from run_citations where own and blended group by day, prompt_key
    ) parts
    group by day, prompt_key`,
  },

  /** Which prompts each engine was asked, every engine. */
  day_engine_prompts: countedKeys({
    table: 'day_engine_prompts',
    of: 'day, engine',
    key: 'prompt_key',
    keys: 'prompt_keys',
    counts: 'run_counts',
    from: 'rebuilt_runs',
  }),

  /** The hash of the prompts of each engine. It is computed from the roll-up above, which must be complete before. */
  day_panel: {
    key: 'day, engine',
    adds: [],
    sets: ['run_count = excluded.run_count', 'panel_hash = excluded.panel_hash'],
    select: `
    select :brandKey, day, engine, sum(run_count),
      md5(string_agg(cast(prompt_key as text), ',' order by prompt_key))
    from (
      select day, engine, unnest(prompt_keys) as prompt_key, unnest(run_counts) as run_count
      from day_engine_prompts where brand_key = :brandKey and ${ON_DAYS}
    ) asked
    group by day, engine`,
  },

  /** Which models answered, every engine. */
  day_model: {
    key: 'day, engine, model',
    adds: ['run_count'],
    select: `
    select :brandKey, day, engine, model, count(*)
    from rebuilt_runs group by day, engine, model`,
  },

  /** How the runs were collected, every engine. Runs that do not state it are in no row. */
  day_surface: {
    key: 'day, engine, surface',
    adds: ['run_count'],
    select: `
    select :brandKey, day, engine, surface, count(*)
    from rebuilt_runs where surface <> '' group by day, engine, surface`,
  },

  /** Where the runs were collected, every engine. */
  day_region: {
    key: 'day, region',
    adds: ['run_count'],
    select: `
    select :brandKey, day, region, count(*)
    from rebuilt_runs group by day, region`,
  },

  day_domain: {
    key: 'day, domain_key',
    adds: ['citations', 'present_runs'],
    select: `
    select :brandKey, day, domain_key, sum(citations), coalesce(sum(present), 0)
    from (
      select day, domain_key, count(*) as citations, 0 as present
      from run_citations where blended group by day, domain_key
      union all
      select day, domain_key, 0, count(*)
      from (select distinct run, day, domain_key from run_citations where blended and brand_present) d
      group by day, domain_key
    ) parts
    group by day, domain_key`,
  },

  /**
   * The title is the one that the newest citing run states: its run and place are packed into one number. A title that is
   * added to another one is compared by `NEWEST_TITLES`. The rows are in the order of the key, because an index that is filled
   * in its order costs less time and space.
   */
  day_url: {
    key: 'day, url_key',
    adds: ['citations', 'answers', 'present_runs', 'position_sum'],
    sets: [
      'engines = day_url.engines | excluded.engines',
      'best_position = least(day_url.best_position, excluded.best_position)',
      'title_key = coalesce(excluded.title_key, day_url.title_key)',
    ],
    select: `
    select :brandKey, u.day, u.url_key, coalesce(l.title_key, r.c_title[u.title_place]), u.citations, u.answers,
      u.engines, u.present_runs, u.position_sum, u.best_position
    from (
      select newest >> 20 as title_run, 1048575 - (newest & 1048575) as title_place, n.*
      from (
        select day, url_key, max(run * 1048576::bigint + 1048575 - place) filter (where title_key is not null) as newest,
          count(*) as citations, count(*) filter (where first) as answers, bit_or(engine_bit) as engines,
          count(*) filter (where first and brand_present) as present_runs, sum(place) as position_sum,
          min(place) as best_position
        from run_citations where blended group by day, url_key
      ) n
    ) u
    left join (select run, c_title from rebuilt_runs where ${HAS_SHORT_LIST}) r on r.run = u.title_run
    left join (${longLists('c_title', 'title_key')}) l on l.run = u.title_run and l.place = u.title_place
    order by u.day, u.url_key`,
  },

  day_prompt_domains: citedByPrompt('day_prompt_domains', 'domain_key', 'blended'),
  day_prompt_own_urls: citedByPrompt('day_prompt_own_urls', 'url_key', 'own and blended'),

  /** The answers that name a rival and not the brand, by the domains that they cite. */
  day_rival_domain: {
    key: 'day, domain_key',
    adds: ['answers'],
    sets: [
      'engines = day_rival_domain.engines | excluded.engines',
      ...['prompt_keys', 'rivals', 'rival_answers'].map((column) => `${column} = excluded.${column}`),
    ],
    select: `
    select :brandKey, d.day, d.domain_key, d.answers, d.engines, p.prompt_keys, r.rivals, r.rival_answers
    from (
      select day, domain_key, count(*) as answers, bit_or(engine_bit) as engines
      from run_rival_domains group by day, domain_key
    ) d
    join (
      select day, domain_key, array_agg(distinct prompt_key) as prompt_keys
      from (
        select day, domain_key, prompt_key from run_rival_domains
        union all
        select day, domain_key, unnest(prompt_keys)
        from (
          select day, domain_key, prompt_keys from day_rival_domain where brand_key = :brandKey and ${ON_DAYS}
        ) stored
      ) asked
      group by day, domain_key
    ) p using (day, domain_key)
    join (${counted({
      ...{ table: 'day_rival_domain', of: 'day, domain_key' },
      ...{ key: 'entity', keys: 'rivals', counts: 'rival_answers' },
      from: '(select c.day, c.domain_key, n.entity from run_rival_domains c join run_presence n using (run)) named',
    })}) r using (day, domain_key)`,
  },

  /**
   * Of every prompt: the answers that name the brand second to fourth, and which rival leads them; of the answers that name a
   * rival and not the brand, the rivals and the cited domains.
   */
  day_rival_prompt: {
    key: 'day, prompt_key',
    adds: ['second', 'third', 'fourth'],
    sets: ['leaders', 'leader_answers', 'rivals', 'rival_answers', 'domain_keys', 'domain_answers'].map(
      (column) => `${column} = coalesce(excluded.${column}, day_rival_prompt.${column})`,
    ),
    select: `
    select :brandKey, day, prompt_key, a.second, a.third, a.fourth, l.leaders, l.leader_answers, n.rivals,
      n.rival_answers, d.domain_keys, d.domain_answers
    from (
      select r.day, r.prompt_key, count(*) filter (where p.position = 2) as second,
        count(*) filter (where p.position = 3) as third, count(*) filter (where p.position = 4) as fourth
      from rebuilt_runs r left join run_presence p on p.run = r.run and p.entity = 0
      where r.blended group by r.day, r.prompt_key
    ) a
    left join (${counted({
      ...{ table: 'day_rival_prompt', of: 'day, prompt_key' },
      ...{ key: 'entity', keys: 'leaders', counts: 'leader_answers' },
      from: `(
        select r.day, r.prompt_key, f.entity from rebuilt_runs r
        join run_presence p on p.run = r.run and p.entity = 0 and p.position between 2 and 4
        join run_presence f on f.run = r.run and f.entity > 0 and f.position = 1
        where r.blended
      ) led`,
    })}) l using (day, prompt_key)
    left join (${counted({
      ...{ table: 'day_rival_prompt', of: 'day, prompt_key' },
      ...{ key: 'entity', keys: 'rivals', counts: 'rival_answers' },
      from: '(select r.day, r.prompt_key, n.entity from run_rivals r join run_presence n using (run)) named',
    })}) n using (day, prompt_key)
    left join (${counted({
      ...{ table: 'day_rival_prompt', of: 'day, prompt_key' },
      ...{ key: 'domain_key', keys: 'domain_keys', counts: 'domain_answers' },
      from: 'run_rival_domains',
    })}) d using (day, prompt_key)`,
  },

  /** Searches behind answers, every engine; a run counts once per query. */
  day_fanout: {
    key: 'day, engine, query_key, prompt_key',
    adds: ['runs'],
    select: `
    select :brandKey, day, engine, query_key, prompt_key, count(distinct run)
    from (select run, day, engine, prompt_key, unnest(f_query) as query_key from rebuilt_runs offset 0) q
    group by day, engine, query_key, prompt_key`,
  },

  /** The newest run that has text and mentions the brand, every engine: of the runs, and of what is stored. */
  day_newest_answer: {
    key: 'engine, day',
    adds: [],
    sets: ['run_id = excluded.run_id'],
    select: `
    select :brandKey, engine, day, (array_agg(id order by collected_at desc, id desc))[1]
    from (
      select n.engine, n.day, r.id, r.collected_at
      from (
        select r.engine, r.day, max(r.run) as run
        from rebuilt_runs r
        join run_presence p on p.run = r.run and p.entity = 0
        cross join lateral (
          select 1 from run_answers
          where brand_key = :brandKey and run_id = r.id and btrim(answer, E' \\t\\r\\n') <> '' offset 0
        ) a
        group by r.engine, r.day
      ) n
      join rebuilt_runs r using (run)
      union all
      select d.engine, d.day, r.id, r.collected_at
      from (select engine, day, run_id from day_newest_answer where brand_key = :brandKey and ${ON_DAYS}) d
      cross join lateral ${probe('runs', 'id, collected_at', 'id', 'd.run_id')} r
    ) candidates
    group by engine, day`,
  },
};

/** Lifetime citations of tracked pages by day, every engine. */
export const TRACKED_URLS: Readonly<Record<string, Rollup>> = {
  day_tracked_url: {
    key: 'url_key, day',
    adds: ['citations', 'answers'],
    sets: ['engines = day_tracked_url.engines | excluded.engines'],
    select: `
    select :brandKey, c.url_key, c.day, count(*), count(*) filter (where c.first), bit_or(c.engine_bit)
    from run_citations c
    join tracked_pages t on t.brand_key = :brandKey and t.url_key = c.url_key
    group by c.url_key, c.day`,
  },
};

/** Pages that the added runs give another title than they have on that day, each looked up by its key (see `probes.ts`). */
export const CONTESTED_TITLES = `
  select distinct c.day, c.url_key
  from run_citations c
  cross join lateral (
    select title_key from day_url
    where brand_key = :brandKey and day = c.day and url_key >= c.url_key and url_key <= c.url_key order by url_key limit 1
  ) d
  where c.blended and c.title_key <> d.title_key`;

/** Sets the titles of these pages to those that the newest of all runs of the day states. */
export const NEWEST_TITLES = `
  with cited as materialized (
    select r.day, r.collected_at, r.id, c.url_key, c.title_key, c.place
    from unnest(cast(:days as date[])) as d(day)
    cross join lateral (
      select day, collected_at, id, c_url, c_title from runs
      where brand_key = :brandKey and day >= d.day and day <= d.day and engine = any(:blended)
      order by day desc, id desc
    ) r
    cross join lateral unnest(r.c_url, r.c_title) with ordinality as c(url_key, title_key, place)
  ), newest as materialized (
    select day, url_key, (array_agg(c.title_key order by c.collected_at desc, c.id desc, c.place))[1] as title_key
    from cited c join contested_titles t using (day, url_key)
    where c.title_key is not null group by day, url_key
  )
  update day_url u set title_key = n.title_key from newest n
  where u.brand_key = :brandKey and u.day >= :firstDay and u.day <= :lastDay and u.day = n.day and u.url_key = n.url_key`;
