import { statement } from './statement.js';

export interface TrackedEntity {
  entity: number;
  id: string;
  name: string;
  /** Empty when it has none. */
  domain: string;
}

/** The brand as entity 0, then its competitors by name and id. */
export const trackedEntities = statement<TrackedEntity, { brandKey: number }>(
  'tracked_entities',
  `select entity, id, name, domain from (
     select 0 as entity, id, name, domain from brands where brand_key = :brandKey
     union all
     select entity, id, name, domain from competitors where brand_key = :brandKey) tracked
   order by entity > 0, name collate "C", id collate "C"`,
);
