import { statement } from './statement.js';

export interface OffsiteMentionRow {
  id: string;
  week: string;
  kind: string;
  entity: string;
  isBrand: boolean;
  title: string;
  url: string;
  foundAt: Date;
}

/** All off-site mentions, newest week first, and newest finding first within a week. */
export const offsiteMentions = statement<OffsiteMentionRow, { brandKey: number }>(
  'offsite_mentions',
  `select o.id, o.week, o.kind, coalesce(c.name, b.name) as entity, o.entity = 0 as "isBrand", o.title, o.url,
     o.found_at as "foundAt"
   from offsite_mentions o
   join brands b on b.brand_key = :brandKey
   left join competitors c on c.brand_key = :brandKey and c.entity = o.entity
   where o.brand_key = :brandKey
   order by o.week desc, o.found_at desc, o.id`,
);
