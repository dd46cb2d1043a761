/** The only place that decides whether a brand exists for a caller. */
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import { type BrandRow, brandAndDefault } from '../queries/brands.js';
import { type Access, scopeOf } from './access.js';

/** A brand that the caller may see. */
export type Brand = Readonly<BrandRow>;

/** What a caller's words lead to: a brand, or that there is none of that name, or none at all. */
export type BrandAnswer = Brand | 'unknown' | 'none';

/** Looks the brand up; absent means the oldest in scope. Foreign, nonexistent and malformed ids are one case. */
export async function findBrand(db: Knex, access: Access, brandId: string | undefined): Promise<BrandAnswer> {
  const storable = brandId?.includes('\u0000') ? '' : brandId;
  const rows = await brandAndDefault(db, { ...scopeOf(access), brandId: storable ?? null });
  const oldest = rows.find((row) => !row.asked);
  if (!oldest) return 'none';
  if (brandId === undefined) return oldest;
  return rows.find((row) => row.asked) ?? 'unknown';
}

/**
 * The brand of a request.
 * @throws No brands exist, or Unknown brand: also where the read needs runs and the brand never had any.
 */
export function requireBrand(answer: BrandAnswer, needsRuns: boolean): Brand {
  if (answer === 'none') throw refuse(errors.noBrands());
  if (answer === 'unknown' || (needsRuns && !answer.hasRuns)) throw refuse(errors.unknownBrand());
  return answer;
}
