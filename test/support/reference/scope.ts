import type { BrandRecord, DatasetRecord } from './records.js';
import { recordsOf, recordsOfBrand } from './records.js';
import { byCreation } from './text-order.js';

/** The context of a request: a workspace's key, a brand id (absent = the default brand) and the current UTC day. */
export interface Scope {
  workspace: string;
  brand?: string;
  today: string;
}

export interface BrandReference {
  id: string;
  name: string;
  domain: string;
}

/** The workspace's brands, oldest first. */
export function brandsInScope(records: DatasetRecord[], workspace: string): BrandRecord[] {
  const byId = new Map<string, BrandRecord>();
  for (const brand of recordsOf(records, 'brand')) {
    if (brand.workspace === workspace) byId.set(brand.id, brand);
  }
  return [...byId.values()].sort(byCreation);
}

/** The requested brand, or the oldest one; null if the key cannot see such a brand. */
export function findBrand(records: DatasetRecord[], scope: Scope): BrandRecord | null {
  const brands = brandsInScope(records, scope.workspace);
  if (scope.brand === undefined) return brands[0] ?? null;
  return brands.find((brand) => brand.id === scope.brand) ?? null;
}

/** As findBrand, but null also for a brand for which no run was ever collected, on any engine. */
export function findCollectedBrand(records: DatasetRecord[], scope: Scope): BrandRecord | null {
  const brand = findBrand(records, scope);
  if (brand === null || recordsOfBrand(records, 'run', brand.id).length === 0) return null;
  return brand;
}

export function referenceTo(brand: BrandRecord): BrandReference {
  return { id: brand.id, name: brand.name, domain: brand.domain };
}

/** Every question that a data set allows: each brand of each workspace by its id, and each default brand. */
export function everyScope(records: DatasetRecord[], today: string): Scope[] {
  const scopes: Scope[] = [];
  for (const { id: workspace } of recordsOf(records, 'workspace')) {
    scopes.push({ workspace, today });
    for (const brand of brandsInScope(records, workspace)) scopes.push({ workspace, brand: brand.id, today });
  }
  return scopes;
}
