/**
 * The two working tables that roll-ups are computed from, for the days being rebuilt: which entity is present in which
 * run, and what each run cites. Arrays are unnested first in a materialised step that the planner cannot merge with the
 * joins, because it has no statistics for rows that this transaction wrote.
 */
import type { WorkingTable } from './working-table.js';

/**
 * One row per run and entity: the smallest order of its mentions, and the tone of its first scored mention by order
 * (by place in the answer where orders are equal). Order, place and tone are packed into one number so that one
 * minimum finds that tone.
 */
const RUN_PRESENCE = `
  with mentioned as materialized (
    select r.day, r.engine, r.prompt_key, r.id as run_id, m.name_key, m.position, m.tone, m.place
    from runs r
    cross join lateral unnest(r.m_name, r.m_order, r.m_tone) with ordinality as m(name_key, position, tone, place)
    where r.brand_key = :brandKey and r.day = any(:days)
  )
  select m.day, m.engine, m.prompt_key, m.run_id, n.entity, min(m.position) as position,
    min((m.position * 1048576::bigint + m.place) * 4 + m.tone + 1) filter (where m.tone is not null) % 4 - 1 as tone
  from mentioned m
  join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
  group by m.day, m.engine, m.prompt_key, m.run_id, n.entity`;

/** One row per citation: the 1-based place in the answer's list, and whether the run mentions the brand. */
const RUN_CITATIONS = `
  with cited as materialized (
    select r.day, r.engine, r.prompt_key, r.id as run_id, r.collected_at, c.place, c.url_key, c.title_key
    from runs r
    cross join lateral unnest(r.c_url, r.c_title) with ordinality as c(url_key, title_key, place)
    where r.brand_key = :brandKey and r.day = any(:days)
  )
  select c.*, u.domain_key, e.entity is not null as own, p.run_id is not null as brand_present
  from cited c
  join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
  left join domain_entities e on e.brand_key = :brandKey and e.domain_key = u.domain_key and e.entity = 0
  left join run_presence p on p.run_id = c.run_id and p.entity = 0`;

/** In the order in which they must be filled. */
export const PRESENCE_TABLES: readonly WorkingTable[] = [
  { name: 'run_presence', select: RUN_PRESENCE },
  { name: 'run_citations', select: RUN_CITATIONS },
];
