/** The reads of a brand for whoever operates the database, without a server. */
import type { Knex } from 'knex';
import type { BrandReads } from '../../../contract/brand-reads.js';
import { type Access, type Brand, findBrand, OPERATOR, requireBrand } from '../../accounts/access.js';
import { NEVER_GONE } from '../../base/audience.js';
import type { Clock } from '../../base/clock.js';
import type { RobotsChecks } from '../../base/robots/fetch.js';
import { readPool } from '../../database/read-session.js';
import { brandReads } from './answer-read.js';
import { createReadCache } from './read-cache.js';

/** @throws 404 if the brand does not exist, or has no answers. */
export async function operatorReads(
  db: Knex,
  brandId: string,
  { clock, robots }: { readonly clock: Clock; readonly robots: RobotsChecks },
): Promise<{ readonly access: Access; readonly brand: Brand; readonly reads: BrandReads }> {
  const brand = requireBrand(await findBrand(db, OPERATOR, brandId), true);
  const env = { db, primary: readPool(db, 0), cache: createReadCache(), clock, robots };
  return { access: OPERATOR, brand, reads: brandReads(env, { access: OPERATOR, gone: NEVER_GONE }, brand) };
}
