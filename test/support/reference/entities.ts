import { memoised } from './memo.js';
import type { BrandRecord, CapturedMention, DatasetRecord } from './records.js';
import { recordsOfBrand } from './records.js';
import { byCodePoint } from './text-order.js';

/** The brand or one of its tracked competitors; `names` are folded, `domain` is empty where it has none. */
export interface Entity {
  id: string;
  name: string;
  domain: string;
  is_brand: boolean;
  names: string[];
}

/** Case and white space do not distinguish names. */
export const fold = memoised((name) => name.trim().replace(/\s+/g, ' ').toLowerCase());

/** T, the tracked set as it is today: the brand first, then its competitors. */
export function entitiesOf(records: DatasetRecord[], brand: BrandRecord): Entity[] {
  const entities = [
    {
      id: brand.id,
      name: brand.name,
      domain: brand.domain,
      is_brand: true,
      names: [brand.name, ...(brand.aliases ?? [])].map(fold),
    },
  ];
  for (const competitor of recordsOfBrand(records, 'competitor', brand.id)) {
    entities.push({
      id: competitor.id,
      name: competitor.name,
      domain: competitor.domain ?? '',
      is_brand: false,
      names: [competitor.name, ...(competitor.aliases ?? [])].map(fold),
    });
  }
  return entities;
}

/** The mentions of a run that resolve to the entity, by order; equal orders as captured. */
export function mentionsOf(entity: Entity, mentions: CapturedMention[]): CapturedMention[] {
  return mentions
    .filter((mention) => entity.names.includes(fold(mention.name)))
    .sort((a, b) => a.order - b.order);
}

/** The brand, then its competitors by name, then id. */
export function inSeriesOrder(entities: Entity[]): Entity[] {
  return [...entities].sort(
    (a, b) =>
      Number(b.is_brand) - Number(a.is_brand) || byCodePoint(a.name, b.name) || byCodePoint(a.id, b.id),
  );
}
