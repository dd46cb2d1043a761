/** Decides whether a brand exists for a caller. No other code decides that. */
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import { type Access, visibleBrands } from './access.js';
import { type BrandRow, brandAndDefault, brandState } from './brands.js';

/** A brand that the caller may see. */
export type Brand = Readonly<BrandRow>;

/** The brand of a request; `unknown`: the caller can see no brand with this id; `none`: the caller can see no brand. */
export type BrandAnswer = Brand | 'unknown' | 'none';

/** No brand has this key. */
const NO_BRAND = 0;

/**
 * Finds the brand. No id means the oldest visible one. Foreign, nonexistent and malformed ids give the same result and
 * cost the same statements.
 */
export async function findBrand(db: Knex, access: Access, brandId: string | undefined): Promise<BrandAnswer> {
  const storable = brandId?.includes('\u0000') ? '' : brandId;
  const rows = await brandAndDefault(db, { ...visibleBrands(access), brandId: storable ?? null });
  const oldest = rows.find((row) => !row.requested);
  if (!oldest) return 'none';
  const brand = brandId === undefined ? oldest : rows.find((row) => row.requested);
  const [state] = await brandState(db, { brandKey: brand?.key ?? NO_BRAND });
  return brand ? { ...brand, ...state! } : 'unknown';
}

/**
 * The brand of a request.
 * @throws RefusedError: no brands exist, or unknown brand, also if the read needs runs and the brand never had any.
 */
export function requireBrand(answer: BrandAnswer, needsRuns: boolean): Brand {
  if (answer === 'none') throw refuse(errors.noBrands());
  if (answer === 'unknown' || (needsRuns && !answer.hasRuns)) throw refuse(errors.unknownBrand());
  return answer;
}
