import type { DatasetRecord } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { brandsInScope, referenceTo } from '../scope.js';
import { byCodePoint } from '../text-order.js';

export interface ExpectedBrand extends BrandReference {
  archived: boolean;
  /** Records have no collections. */
  collection_fault: null;
  /** Not asked for. */
  summary: null;
  /** The key is that of one workspace. */
  workspace_name: null;
}

export interface ExpectedBrands {
  body: { brands: ExpectedBrand[] };
  listing: ExpectedBrand[];
}

/** Body: the workspace's brands by creation. Listing: by id, as pages walk it. Null = 404 No brands exist. */
export function expectedBrands(records: DatasetRecord[], scope: Scope): ExpectedBrands | null {
  const brands = brandsInScope(records, scope.workspace).map((brand) => ({
    ...referenceTo(brand),
    archived: Boolean(brand.archived_at),
    collection_fault: null,
    summary: null,
    workspace_name: null,
  }));
  if (brands.length === 0) return null;
  return { body: { brands }, listing: [...brands].sort((a, b) => byCodePoint(a.id, b.id)) };
}
