import { statement } from '../../base/statement.js';

export interface TrackedEntity {
  entity: number;
  id: string;
  name: string;
  /** Empty: the entity has no domain. */
  domain: string;
}

/** The brand as entity 0, then its competitors by name and id. */
export const trackedEntities = statement<TrackedEntity, { brandKey: number }>(
  'tracked_entities',
  `select entity, id, name, domain from (
     select 0 as entity, id, name, domain from brands where brand_key = :brandKey
     union all
     select entity, id, name, domain from competitors where brand_key = :brandKey and retired_at is null) tracked
   order by entity > 0, name collate "C", id collate "C"`,
);

export interface EntityWithAliases extends TrackedEntity {
  aliases: string[];
}

/** The brand and its competitors by number, with every name that they have: names and domains are resolved by it. */
export const entitiesWithAliases = statement<EntityWithAliases, { brandKey: number }>(
  'entities_with_aliases',
  `select 0 as entity, id, name, domain, aliases from brands where brand_key = :brandKey
   union all
   select entity, id, name, domain, aliases from competitors where brand_key = :brandKey and retired_at is null
   order by entity`,
);
