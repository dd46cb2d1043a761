import { statement } from './statement.js';

export interface AnswerRow {
  id: string;
  date: string;
  region: string;
  engine: string;
  model: string;
  prompt_id: string;
  brand_present: boolean;
  /** By order, as stored: tone −1, 0, 1 or null. */
  mentions: { name: string; order: number; tone: number | null; evidence: string | null }[];
  citations: { domain: string; url: string }[];
}

/**
 * Runs of a window, newest first by (day, id), after a given one. The page of runs is cut first; names and URLs
 * are looked up for its rows alone.
 */
export const answersNewestFirst = statement<
  AnswerRow,
  {
    brandKey: number;
    start: string;
    end: string;
    beforeDay: string | null;
    beforeId: string | null;
    rows: number;
  }
>(
  'answers_newest_first',
  `with page as materialized (
     select * from runs
     where brand_key = :brandKey and day between :start and :end
       and (cast(:beforeDay as date) is null or (day, id) < (cast(:beforeDay as date), :beforeId))
     order by day desc, id desc limit :rows
   )
   select r.id, r.day as date, r.region, r.engine, r.model, p.id as prompt_id,
     coalesce(named.brand_present, false) as brand_present,
     coalesce(named.mentions, '[]') as mentions, coalesce(cited.citations, '[]') as citations
   from page r
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   left join lateral (
     select bool_or(n.entity is not distinct from 0) as brand_present,
       json_agg(json_build_object('name', n.name, 'order', m.position, 'tone', m.tone, 'evidence', m.evidence)
         order by m.position, m.place) as mentions
     from unnest(r.m_name, r.m_order, r.m_tone, r.m_evidence) with ordinality as m(name_key, position, tone, evidence, place)
     join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key
   ) named on true
   left join lateral (
     select json_agg(json_build_object('domain', d.domain, 'url', u.url) order by c.place) as citations
     from unnest(r.c_url) with ordinality as c(url_key, place)
     join cited_urls u on u.brand_key = :brandKey and u.url_key = c.url_key
     join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
   ) cited on true
   order by r.day desc, r.id desc`,
);
