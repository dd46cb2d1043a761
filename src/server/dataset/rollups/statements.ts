/** One statement per roll-up that computes a day's rows from its runs. Rounding and nulls are left to the reads. */

/** The rank discount 1 / log2(1 + order) in units of 10⁻⁹, so that sums are exact whatever their order. */
const WEIGHT = 'round(1e9::float8 * ln(2::float8) / ln(1::float8 + position))::bigint';

export const ROLLUPS: Readonly<Record<string, string>> = {
  /** Denominators, every engine. */
  day_scope: `
    select :brandKey, day, engine, count(*), sum(cardinality(c_url)),
      sum(quotes_negative + quotes_neutral + quotes_positive)
    from runs where brand_key = :brandKey and day = any(:days)
    group by day, engine`,

  /** Presence, positions, tones and citations of the brand and its competitors, every engine. */
  day_entity: `
    select :brandKey, day, engine, entity, sum(present), sum(position_sum), sum(weight_sum),
      sum(positive), sum(neutral), sum(negative), sum(citations)
    from (
      select day, engine, entity, count(*) as present, sum(position) as position_sum, sum(${WEIGHT}) as weight_sum,
        count(*) filter (where tone = 1) as positive, count(*) filter (where tone = 0) as neutral,
        count(*) filter (where tone = -1) as negative, 0 as citations
      from run_presence group by day, engine, entity
      union all
      select c.day, c.engine, e.entity, 0, 0, 0, 0, 0, 0, count(*)
      from run_citations c
      join domain_entities e on e.brand_key = :brandKey and e.domain_key = c.domain_key
      group by c.day, c.engine, e.entity
    ) parts
    group by day, engine, entity`,

  day_prompt: `
    select :brandKey, day, prompt_key, sum(runs), sum(present), sum(position_sum), sum(weight_sum), sum(own)
    from (
      select day, prompt_key, count(*) as runs, 0 as present, 0 as position_sum, 0 as weight_sum, 0 as own
      from runs where brand_key = :brandKey and day = any(:days) and engine = any(:blended)
      group by day, prompt_key
      union all
      select day, prompt_key, 0, count(*), sum(position), sum(${WEIGHT}), 0
      from run_presence where entity = 0 and engine = any(:blended) group by day, prompt_key
      union all
      select day, prompt_key, 0, 0, 0, 0, count(*)
      from run_citations where own and engine = any(:blended) group by day, prompt_key
    ) parts
    group by day, prompt_key`,

  day_domain: `
    select :brandKey, day, domain_key, count(*), count(distinct run_id) filter (where brand_present)
    from run_citations where engine = any(:blended)
    group by day, domain_key`,

  /** The title is the one that the day's newest citing run states. */
  day_url: `
    select :brandKey, day, url_key,
      (array_agg(title_key order by collected_at desc, run_id desc, place) filter (where title_key is not null))[1],
      count(*), count(distinct run_id), bit_or(1 << array_position(:engines, engine) - 1),
      count(distinct run_id) filter (where brand_present), sum(place), min(place)
    from run_citations where engine = any(:blended)
    group by day, url_key`,

  day_prompt_domain: `
    select :brandKey, day, prompt_key, domain_key, count(*)
    from run_citations where engine = any(:blended)
    group by day, prompt_key, domain_key`,

  day_prompt_own_url: `
    select :brandKey, day, prompt_key, url_key, count(*)
    from run_citations where own and engine = any(:blended)
    group by day, prompt_key, url_key`,

  /** Searches behind answers, every engine; a run counts once per query. */
  day_fanout: `
    select :brandKey, r.day, r.engine, q.query_key, r.prompt_key, count(distinct r.id)
    from runs r cross join lateral unnest(r.f_query) as q(query_key)
    where r.brand_key = :brandKey and r.day = any(:days)
    group by r.day, r.engine, q.query_key, r.prompt_key`,

  /** The newest run that has text and mentions the brand, every engine. Ids go as an array: answers have no day. */
  day_newest_answer: `
    select :brandKey, r.engine, r.day, (array_agg(r.id order by r.collected_at desc, r.id desc))[1]
    from runs r
    join (
      select run_id from run_answers
      where brand_key = :brandKey and btrim(answer, E' \\t\\r\\n') <> ''
        and run_id = any(array(select run_id from run_presence where entity = 0))
    ) a on a.run_id = r.id
    where r.brand_key = :brandKey and r.day = any(:days)
    group by r.engine, r.day`,
};

/** Lifetime citations of tracked pages by day, every engine. */
export const TRACKED_URLS = `
  select :brandKey, c.url_key, r.day, count(*), count(distinct r.id), bit_or(1 << array_position(:engines, r.engine) - 1)
  from runs r
  cross join lateral unnest(r.c_url) as c(url_key)
  join tracked_pages t on t.brand_key = r.brand_key and t.url_key = c.url_key
  where r.brand_key = :brandKey and r.day = any(:days)
  group by c.url_key, r.day`;
