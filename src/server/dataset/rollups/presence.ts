/**
 * The two working tables that roll-ups are made from, for the days being rebuilt: who is present in which run, and
 * what each run cites. They are made once per rebuild and gone at its end.
 */

/**
 * One row per run and entity: the smallest order of its mentions, and the tone of its first scored mention by order
 * (by place in the answer where orders are equal). Order, place and tone are packed into one number so that one
 * minimum finds that tone.
 */
export const RUN_PRESENCE = `
  create temporary table run_presence on commit drop as
  select r.day, r.engine, r.prompt_key, r.id as run_id, n.entity, min(m.position) as position,
    min((m.position * 1048576::bigint + m.place) * 4 + m.tone + 1) filter (where m.tone is not null) % 4 - 1 as tone
  from runs r
  cross join lateral unnest(r.m_name, r.m_order, r.m_tone) with ordinality as m(name_key, position, tone, place)
  join mention_names n on n.brand_key = r.brand_key and n.name_key = m.name_key and n.entity is not null
  where r.brand_key = :brandKey and r.day = any(:days)
  group by r.day, r.engine, r.prompt_key, r.id, n.entity`;

/** One row per citation: the 1-based place in the answer's list, and whether the run mentions the brand. */
export const RUN_CITATIONS = `
  create temporary table run_citations on commit drop as
  select r.day, r.engine, r.prompt_key, r.id as run_id, r.collected_at, c.place, c.url_key, c.title_key, u.domain_key,
    e.entity is not null as own, p.run_id is not null as brand_present
  from runs r
  cross join lateral unnest(r.c_url, r.c_title) with ordinality as c(url_key, title_key, place)
  join cited_urls u on u.brand_key = r.brand_key and u.url_key = c.url_key
  left join domain_entities e on e.brand_key = u.brand_key and e.domain_key = u.domain_key and e.entity = 0
  left join run_presence p on p.run_id = r.id and p.entity = 0
  where r.brand_key = :brandKey and r.day = any(:days)`;
