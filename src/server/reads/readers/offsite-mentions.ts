import type { OffsiteMention } from '../../../contract/reads/offsite-mentions.js';
import { linkDomain } from '../../citations/link-domain.js';
import { type OffsiteMentionRow, offsiteMentions } from '../../queries/offsite-mentions.js';
import { brandRefOf, type Compute } from '../reader.js';

const LEADS = 'These are leads found by name, not verified mentions.';
const NOTHING = 'Nothing was ever found for this brand; that does not say that nobody wrote about it.';

export const readOffsiteMentions: Compute<'offsite-mentions'> = async ({ db, brand }) => {
  const mentions = (await offsiteMentions(db, { brandKey: brand.key })).map(mentionOf);
  const note = mentions.length > 0 ? LEADS : NOTHING;
  return { brand: brandRefOf(brand), total: mentions.length, mentions, note };
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
