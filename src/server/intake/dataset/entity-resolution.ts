/** Finds the entity of each captured name and cited domain, among the entities that are tracked now. */
import type { Knex } from 'knex';
import { domainAndParents, normaliseDomain } from '../../answers/citations/domain.js';
import type { EntityWithAliases } from '../../answers/sums/tracked-entities.js';

/**
 * The form in which names are compared: lower case, Unicode NFC, white space folded. Lower case is applied first, because
 * it can decompose a character.
 */
export const foldName = (name: string): string =>
  name.trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFC');

/** An entity with every name that it has. */
export type NamedEntity = Pick<EntityWithAliases, 'entity' | 'id' | 'name' | 'aliases'>;

/** The entity of each folded name. */
const ownersOf = (entities: readonly NamedEntity[]): Map<string, number> =>
  new Map(
    entities.flatMap(({ entity, name, aliases }) =>
      [name, ...aliases].map((each) => [foldName(each), entity] as const),
    ),
  );

/** Stored mentions that no longer count for a tracked entity. */
export interface LostMentions {
  /** The id of the entity. */
  readonly id: string;
  readonly name: string;
  /** The name as answers write it. */
  readonly spelling: string;
  readonly mentions: number;
}

/**
 * What a change of names takes from entities that stay tracked. Must run before the names are resolved again.
 * @param entities The entities after the change.
 */
export async function lostMentions(
  db: Knex,
  brandKey: number,
  entities: readonly NamedEntity[],
): Promise<LostMentions[]> {
  const owners = ownersOf(entities);
  const tracked = new Map(entities.map((each) => [each.entity, each]));
  const { rows: names } = await db.raw(
    'select name_key as key, name, entity from mention_names where brand_key = ? and entity is not null',
    [brandKey],
  );
  const lost = (names as { key: number; name: string; entity: number }[]).filter(
    ({ name, entity }) => tracked.has(entity) && owners.get(foldName(name)) !== entity,
  );
  if (lost.length === 0) return [];
  const { rows } = await db.raw(
    `select m.name_key as key, count(*) as mentions from runs r cross join unnest(r.m_name) as m(name_key)
     where r.brand_key = :brandKey and r.m_name && cast(:keys as integer[])
       and m.name_key = any(cast(:keys as integer[]))
     group by m.name_key`,
    { brandKey, keys: lost.map(({ key }) => key) },
  );
  const counts = new Map<number, number>(
    rows.map(({ key, mentions }: { key: number; mentions: number }) => [key, mentions]),
  );
  return lost.flatMap(({ key, name: spelling, entity }) => {
    const mentions = counts.get(key) ?? 0;
    const { id, name } = tracked.get(entity)!;
    return mentions === 0 ? [] : [{ id, name, spelling, mentions }];
  });
}

const PAGE = 20_000;

/** Sets the entity of every name whose key is at least `from`. */
export async function resolveNames(
  trx: Knex.Transaction,
  brandKey: number,
  entities: readonly EntityWithAliases[],
  from: number,
): Promise<void> {
  const entityOf = ownersOf(entities);
  await trx.raw(
    'update mention_names set entity = null where brand_key = :brandKey and name_key >= :from and entity is not null',
    { brandKey, from },
  );
  for await (const names of pagesOf<{ key: number; name: string }>(
    trx,
    'mention_names',
    'name_key',
    'name',
    brandKey,
    from,
  )) {
    const resolved = names.flatMap(({ key, name }) => {
      const entity = entityOf.get(foldName(name));
      return entity === undefined ? [] : { key, entity };
    });
    await trx.raw(
      `update mention_names n set entity = r.entity
       from json_to_recordset(:resolved) as r(key integer, entity integer)
       where n.brand_key = :brandKey and n.name_key = r.key`,
      { brandKey, resolved: JSON.stringify(resolved) },
    );
  }
}

/** Sets the entities of every cited domain whose key is at least `from`. A domain may belong to several entities. */
export async function resolveDomains(
  trx: Knex.Transaction,
  brandKey: number,
  entities: readonly EntityWithAliases[],
  from: number,
): Promise<void> {
  const entitiesOf = new Map<string, number[]>();
  for (const { entity, domain } of entities) {
    const normal = normaliseDomain(domain);
    if (normal !== '') entitiesOf.set(normal, [...(entitiesOf.get(normal) ?? []), entity]);
  }
  await trx.raw('delete from domain_entities where brand_key = :brandKey and domain_key >= :from', {
    brandKey,
    from,
  });
  for await (const domains of pagesOf<{ key: number; domain: string }>(
    trx,
    'cited_domains',
    'domain_key',
    'domain',
    brandKey,
    from,
  )) {
    const owners = domains.flatMap(({ key, domain }) => {
      const owning = new Set(domainAndParents(domain).flatMap((each) => entitiesOf.get(each) ?? []));
      return [...owning].map((entity) => ({ key, entity }));
    });
    await trx.raw(
      `insert into domain_entities select :brandKey, key, entity
       from json_to_recordset(:owners) as o(key integer, entity integer)`,
      { brandKey, owners: JSON.stringify(owners) },
    );
  }
}

async function* pagesOf<Row extends { key: number }>(
  trx: Knex.Transaction,
  table: string,
  key: string,
  text: string,
  brandKey: number,
  from: number,
): AsyncGenerator<Row[]> {
  for (let next = from; ; ) {
    const { rows } = await trx.raw(
      `select ${key} as key, ${text} from ${table} where brand_key = :brandKey and ${key} >= :next order by ${key} limit ${PAGE}`,
      { brandKey, next },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    next = rows.at(-1).key + 1;
  }
}
