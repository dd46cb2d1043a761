/** What the database would have to change to be equal to a catalog. */
import type { Knex } from 'knex';
import { requireSchema, schemaState } from '../../server/database/schema-state.js';
import {
  type Catalog,
  catalogChanges,
  differenceOf,
  mentionsLostBy,
} from '../../server/intake/dataset/apply-catalog.js';

/** Writes nothing. Of an empty database, all of the catalog. */
export async function differenceIn(db: Knex, catalog: Catalog, now: Date) {
  if (await isEmpty(db)) return { ...differenceOf(catalog, [], now), lost: [], isSearched: false };
  return {
    ...(await catalogChanges(db, catalog, now)),
    lost: await mentionsLostBy(db, catalog, now),
    isSearched: await tracksNames(db, catalog.brand.id),
  };
}

/** Whether answers of the brand are stored in which only tracked names were looked for. */
async function tracksNames(db: Knex, id: string): Promise<boolean> {
  const { rows } = await db.raw(
    `select 1 from brands b join day_scope s on s.brand_key = b.brand_key and s.tracked_runs > 0
     where b.id = :id limit 1`,
    { id },
  );
  return rows.length > 0;
}

/** @throws SchemaError for the schema of another version. */
async function isEmpty(db: Knex): Promise<boolean> {
  const { applied } = await schemaState(db);
  if (applied.length > 0) await requireSchema(db);
  return applied.length === 0;
}
