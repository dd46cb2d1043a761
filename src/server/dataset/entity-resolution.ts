/** Finds the entity of each captured name and cited domain, among the entities that are tracked now. */
import type { Knex } from 'knex';
import { domainAndParents, normaliseDomain } from '../citations/domain.js';
import type { EntityWithAliases } from '../sums/tracked-entities.js';

/**
 * The form in which names are compared: lower case, Unicode NFC, white space folded. Lower case is applied first, because
 * it can decompose a character.
 */
export const foldName = (name: string): string =>
  name.trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFC');

const PAGE = 20_000;

/** Sets the entity of every name whose key is at least `from`. */
export async function resolveNames(
  trx: Knex.Transaction,
  brandKey: number,
  entities: readonly EntityWithAliases[],
  from: number,
): Promise<void> {
  const entityOf = new Map<string, number>();
  for (const { entity, name, aliases } of entities) {
    for (const each of [name, ...aliases]) entityOf.set(foldName(each), entity);
  }
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
