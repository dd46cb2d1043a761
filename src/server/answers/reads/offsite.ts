import { fact, noted } from '../../../contract/notes.js';
import type { OffsiteMention } from '../../../contract/reads/offsite.js';
import { statement } from '../../base/statement.js';
import { linkDomain } from '../citations/domain.js';
import { brandRefOf, type Reader } from './reader.js';

interface OffsiteMentionRow {
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
const offsiteMentions = statement<OffsiteMentionRow, { brandKey: number }>(
  'offsite_mentions',
  `select o.id, o.week, o.kind, coalesce(c.name, b.name) as entity, o.entity = 0 as "isBrand", o.title, o.url,
     o.found_at as "foundAt"
   from offsite_mentions o
   join brands b on b.brand_key = :brandKey
   left join competitors c on c.brand_key = :brandKey and c.entity = o.entity
   where o.brand_key = :brandKey
   order by o.week desc, o.found_at desc, o.id`,
);

export const reader: Reader<'offsite-mentions'> = async ({ db, brand }) => {
  const mentions = (await offsiteMentions(db, { brandKey: brand.key })).map(mentionOf);
  const caveats = noted([fact(mentions.length > 0 ? 'leads' : 'nothing_found')]);
  return { brand: brandRefOf(brand), total: mentions.length, mentions, ...caveats };
};

const mentionOf = (row: OffsiteMentionRow): OffsiteMention => ({
  id: row.id,
  week: row.week,
  kind: row.kind as OffsiteMention['kind'],
  entity: row.entity,
  is_brand: row.isBrand,
  title: row.title,
  url: row.url,
  domain: linkDomain(row.url),
  found_at: row.foundAt.toISOString(),
});
