/** The roll-ups, each with the statement that computes rows from runs. Rounding and nulls are left to the reads. */
import { observables } from '../../../../contract/surfaces.js';
import { OBSERVERS, observedBit } from '../../../answers/sums/collection.js';
import { probe } from '../probes.js';
import { BY_ENTITY } from './by-entity.js';
import { type StoredLists, type Summed, setLists, summedLists } from './lists.js';
import { ON_DAYS, type Rollup } from './working-tables.js';

/** Rows that have nothing but lists. */
function ofLists(table: string, changed: string, summed: Summed): Rollup {
  const select = (stored?: StoredLists): string =>
    `select :brandKey, lists.* from (${summedLists(summed, stored)}) lists`;
  return {
    key: summed.of,
    adds: [],
    sets: setLists(summed.keys, ...Object.keys(summed.sums)),
    select: select(),
    selectSum: select({ table, changed }),
  };
}

interface Cited {
  readonly table: string;
  /** Whose citations a row has on a day. */
  readonly of: 'prompt_key' | 'engine';
  readonly key: string;
  /** The column of the list of keys. */
  readonly keys: string;
  /** The lists of sums, each with what a citation adds. */
  readonly sums: Readonly<Record<string, string>>;
  /** The condition of the citations that count. */
  readonly chosen: string;
}

/** The citations of each prompt, or each engine, by `key`. */
function citedBy({ table, of, key, keys, sums, chosen }: Cited): Rollup {
  const added = Object.entries(sums).map(([name, value]) => `${value} as ${name}`);
  return ofLists(table, `run_citations where ${chosen}`, {
    of: `day, ${of}`,
    key,
    keys,
    sums: Object.fromEntries(Object.keys(sums).map((name) => [name, 'integer' as const])),
    rows: `select day, ${of}, ${key}, ${added.join(', ')} from run_citations where ${chosen}`,
  });
}

const OF_DOMAINS = {
  key: 'domain_key',
  keys: 'domain_keys',
  sums: { citations: '1', present_citations: 'cast(brand_present as integer)' },
} as const;

const OF_URLS = { key: 'url_key', keys: 'url_keys', sums: { citations: '1' } } as const;

/** What a run, and what an entity in it, adds to each list by engine and prompt, in the order of the columns. */
const PROMPT_LISTS: readonly (readonly [name: string, ofRun: string, ofEntity: string])[] = [
  ['run_counts', '1', '0'],
  ...Object.entries({
    brand_runs: 'present_runs',
    brand_positions: 'position_sums',
    brand_weights: 'weight_sums',
    brand_positives: 'positives',
    brand_neutrals: 'neutrals',
    brand_negatives: 'negatives',
    brand_citations: 'entity_citations',
  }).map(([name, sum]) => [name, '0', `case when entity = 0 then ${sum} else 0 end`] as const),
  ['citations', 'cardinality(c_url)', '0'],
  ['presences', '0', 'present_runs'],
];
const isLong = (name: string): boolean => name === 'brand_positions' || name === 'brand_weights';

const OF_OUTCOMES = 'day, engine, region, surface';
/** The runs that state their outcome. */
const STATED_OUTCOMES = `
        select ${OF_OUTCOMES}, prompt_key, 0 as unshown_runs from rebuilt_runs where states_outcome
        union all
        select ${OF_OUTCOMES}, prompt_key, 1 from rebuilt_unshown`;

/** The prompts of the domains that are stored. */
const STORED_PROMPTS = `
        union all
        select day, domain_key, unnest(prompt_keys)
        from (
          select day, domain_key, prompt_keys from day_rival_domain where brand_key = :brandKey and ${ON_DAYS}
        ) stored`;

/** Domains in answers that name a rival and not the brand. @param stored What is added. */
const rivalDomains = (stored?: StoredLists): string => `
    select :brandKey, d.day, d.domain_key, d.answers, d.engines, p.prompt_keys, r.rivals, r.rival_answers
    from (
      select day, domain_key, count(*) as answers, bit_or(engine_bit) as engines
      from run_rival_domains group by day, domain_key
    ) d
    join (
      select day, domain_key, array_agg(distinct prompt_key) as prompt_keys
      from (
        select day, domain_key, prompt_key from run_rival_domains ${stored ? STORED_PROMPTS : ''}
      ) asked
      group by day, domain_key
    ) p using (day, domain_key)
    join (${summedLists(
      {
        of: 'day, domain_key',
        key: 'entity',
        keys: 'rivals',
        sums: { rival_answers: 'integer' },
        rows: `
        select c.day, c.domain_key, n.entity, 1 as rival_answers
        from run_rival_domains c join run_presence n using (run)`,
      },
      stored,
    )}) r using (day, domain_key)`;

/** Who is named in the answers to each prompt. @param stored What is added. */
const rivalPrompts = (stored?: StoredLists): string => `
    select :brandKey, day, prompt_key, a.second, a.third, a.fourth, l.leaders, l.leader_answers, n.rivals,
      n.rival_answers, d.domain_keys, d.domain_answers
    from (
      select r.day, r.prompt_key, count(*) filter (where p.position = 2) as second,
        count(*) filter (where p.position = 3) as third, count(*) filter (where p.position = 4) as fourth
      from rebuilt_runs r left join run_presence p on p.run = r.run and p.entity = 0
      where r.blended group by r.day, r.prompt_key
    ) a
    left join (${summedLists(
      {
        of: 'day, prompt_key',
        key: 'entity',
        keys: 'leaders',
        sums: { leader_answers: 'integer' },
        rows: `
        select r.day, r.prompt_key, f.entity, 1 as leader_answers from rebuilt_runs r
        join run_presence p on p.run = r.run and p.entity = 0 and p.position between 2 and 4
        join run_presence f on f.run = r.run and f.entity > 0 and f.position = 1
        where r.blended`,
      },
      stored,
    )}) l using (day, prompt_key)
    left join (${summedLists(
      {
        of: 'day, prompt_key',
        key: 'entity',
        keys: 'rivals',
        sums: { rival_answers: 'integer' },
        rows: `
        select r.day, r.prompt_key, n.entity, 1 as rival_answers
        from run_rivals r join run_presence n using (run)`,
      },
      stored,
    )}) n using (day, prompt_key)
    left join (${summedLists(
      {
        of: 'day, prompt_key',
        key: 'domain_key',
        keys: 'domain_keys',
        sums: { domain_answers: 'integer' },
        rows: 'select day, prompt_key, domain_key, 1 as domain_answers from run_rival_domains',
      },
      stored,
    )}) d using (day, prompt_key)`;

/** The text of the answer of the run `r`, if it has any. */
const WORDED = `(
        select 1 from run_answers
        where brand_key = :brandKey and run_id = r.id and btrim(answer, E' \\t\\r\\n') <> '' offset 0
      ) a`;

export const ROLLUPS: Readonly<Record<string, Rollup>> = {
  /** Denominators, every engine. */
  day_scope: {
    key: 'day, engine',
    adds: [
      ...['run_count', 'citations', 'quotes'],
      ...observables.map((each) => OBSERVERS[each]),
      'tracked_runs',
    ],
    select: `
    select :brandKey, day, engine, count(*), sum(cardinality(c_url)), sum(quotes), ${observables.map((each) => `count(*) filter (where observes & ${observedBit(each)} > 0)`).join(', ')},
      count(*) filter (where tracked_names)
    from rebuilt_runs group by day, engine`,
  },

  /** Which prompts have runs that state their outcome, and how many of these runs have no answer, every engine. */
  day_outcomes: ofLists('day_outcomes', `(${STATED_OUTCOMES}) stated`, {
    of: OF_OUTCOMES,
    key: 'prompt_key',
    keys: 'prompt_keys',
    sums: { unshown_runs: 'integer' },
    rows: STATED_OUTCOMES,
  }),

  ...BY_ENTITY,

  /** Which prompts each engine was asked, and what is summed of them, every engine. */
  day_engine_prompts: ofLists('day_engine_prompts', 'rebuilt_runs', {
    of: 'day, engine',
    key: 'prompt_key',
    keys: 'prompt_keys',
    sums: Object.fromEntries(PROMPT_LISTS.map(([name]) => [name, isLong(name) ? 'bigint' : 'integer'])),
    rows: `
        select day, engine, prompt_key, ${PROMPT_LISTS.map(([name, ofRun]) => `${ofRun} as ${name}`).join(', ')}
        from rebuilt_runs
        union all
        select day, engine, prompt_key, ${PROMPT_LISTS.map(([, , ofEntity]) => ofEntity).join(', ')} from run_entities`,
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
   * The title is the one that the newest citing run states: the number of its citation and the title are packed into one
   * number. A title that is added to another one is compared by `NEWEST_TITLES`. The rows are in the order of the key, because
   * an index that is filled in its order costs less time and space.
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
    select :brandKey, day, url_key, max(cast(number as bigint) << 31 | title_key) & ~(-1::bigint << 31), count(*),
      count(*) filter (where first), bit_or(engine_bit), count(*) filter (where first and brand_present), sum(place), min(place)
    from run_citations where blended group by day, url_key order by day, url_key`,
  },

  /** By domain, also those citations that are in answers that mention the brand. */
  day_prompt_domains: citedBy({
    table: 'day_prompt_domains',
    of: 'prompt_key',
    ...OF_DOMAINS,
    chosen: 'blended',
  }),

  /** As by prompt, every engine. */
  day_engine_domains: citedBy({
    table: 'day_engine_domains',
    of: 'engine',
    ...OF_DOMAINS,
    chosen: 'true',
  }),

  /** By page of the brand. */
  day_prompt_own_urls: citedBy({
    table: 'day_prompt_own_urls',
    of: 'prompt_key',
    ...OF_URLS,
    chosen: 'own and blended',
  }),

  day_engine_own_urls: citedBy({ table: 'day_engine_own_urls', of: 'engine', ...OF_URLS, chosen: 'own' }),

  /** The answers that name a rival and not the brand, by the domains that they cite. */
  day_rival_domain: {
    key: 'day, domain_key',
    adds: ['answers'],
    sets: [
      'engines = day_rival_domain.engines | excluded.engines',
      ...setLists('prompt_keys', 'rivals', 'rival_answers'),
    ],
    select: rivalDomains(),
    selectSum: rivalDomains({ table: 'day_rival_domain', changed: 'run_rival_domains' }),
  },

  /**
   * Of every prompt: the answers that name the brand second to fourth, and which rival leads them; of the answers that name a
   * rival and not the brand, the rivals and the cited domains.
   */
  day_rival_prompt: {
    key: 'day, prompt_key',
    adds: ['second', 'third', 'fourth'],
    sets: setLists('leaders', 'leader_answers', 'rivals', 'rival_answers', 'domain_keys', 'domain_answers'),
    select: rivalPrompts(),
    selectSum: rivalPrompts({ table: 'day_rival_prompt', changed: 'rebuilt_runs where blended' }),
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

  /**
   * The newest run that has text and mentions the brand, every engine: of the runs, and of what is stored. Mostly the newest
   * that mentions it has text, so the texts of the others are read only where it has none.
   */
  day_newest_answer: {
    key: 'engine, day',
    adds: [],
    sets: ['run_id = excluded.run_id'],
    select: `
    with named as materialized (
      select r.engine, r.day, r.run, r.id from rebuilt_runs r join run_presence p on p.run = r.run and p.entity = 0
    ), newest as materialized (
      select engine, day, run from (select engine, day, max(run) as run from named group by engine, day) n
      join named r using (engine, day, run) cross join lateral ${WORDED}
    ), older as materialized (
      select engine, day, max(run) as run
      from (
        select * from named m
        where not exists (select 1 from newest n where n.engine = m.engine and n.day = m.day) offset 0
      ) r
      cross join lateral ${WORDED}
      group by engine, day
    )
    select :brandKey, engine, day, (array_agg(id order by collected_at desc, id desc))[1]
    from (
      select n.engine, n.day, r.id, r.collected_at
      from (select engine, day, run from newest union all select engine, day, run from older) n
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
