import { currentWindow } from '../days.js';
import type { Entity } from '../entities.js';
import { entitiesOf } from '../entities.js';
import type { BrandRecord, DatasetRecord, RunRecord } from '../records.js';
import { blendedRuns } from '../runs.js';
import type { Scope } from '../scope.js';
import { everyScope, findCollectedBrand } from '../scope.js';
import { randomDataset } from './dataset.js';
import { SEEDS, TODAY } from './seeds.js';

/** One collected brand of one data set, with the inputs of most checks. */
export interface Case {
  seed: number;
  records: DatasetRecord[];
  scope: Scope;
  brand: BrandRecord;
  entities: Entity[];
  /** Blended runs of the current window. */
  runs: RunRecord[];
}

/** Every collected brand of the random data sets. */
export const CASES: Case[] = SEEDS.flatMap((seed) => {
  const records = randomDataset(seed, TODAY);
  return everyScope(records, TODAY).flatMap((scope) => {
    const brand = findCollectedBrand(records, scope);
    if (brand === null || scope.brand === undefined) return [];
    const runs = blendedRuns(records, brand.id, currentWindow(TODAY));
    return [{ seed, records, scope, brand, entities: entitiesOf(records, brand), runs }];
  });
});
