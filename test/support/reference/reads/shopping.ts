import { currentWindow } from '../days.js';
import { CAROUSEL_ENGINES, ENGINES, observableEngines, SHOPPING_CHANNELS } from '../engines.js';
import { WORDS } from '../open.js';
import type { DatasetRecord, RunRecord } from '../records.js';
import { runsWithin } from '../runs.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Carousel } from './placements.js';
import { carouselsWithin, meanSlot } from './placements.js';
import type { ExpectedProduct } from './products.js';
import { expectedProducts } from './products.js';

const PRODUCTS_CAP = 30;

export interface ExpectedChannel {
  engine: string;
  status: string;
  sampled: boolean;
  carousels: number | null;
}

export interface ExpectedShopping {
  brand: BrandReference;
  window_days: number;
  totals: { carousels: number; products: number; own_appearances: number; own_avg_position: number | null };
  products: ExpectedProduct[];
  channel_coverage: ExpectedChannel[];
  note: string | null;
  engines_observable: string[];
}

/** The body of shopping; null = 404. Totals are counted before the cap of products. */
export function expectedShopping(records: DatasetRecord[], scope: Scope): ExpectedShopping | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const window = currentWindow(scope.today);
  const carousels = carouselsWithin(records, brand, window);
  const own = carousels.flatMap((carousel) => carousel.placements).filter((placement) => placement.own);
  const products = expectedProducts(carousels);
  const runs = runsWithin(records, brand.id, window);
  const engines_observable = observableEngines('carousels', CAROUSEL_ENGINES, runs);
  return {
    brand: referenceTo(brand),
    window_days: 7,
    totals: {
      carousels: carousels.length,
      products: products.length,
      own_appearances: own.length,
      own_avg_position: meanSlot(own),
    },
    products: products.slice(0, PRODUCTS_CAP),
    channel_coverage: channelCoverage(runs, carousels, engines_observable),
    note: carousels.length === 0 ? WORDS : null,
    engines_observable,
  };
}

function channelCoverage(runs: RunRecord[], carousels: Carousel[], observable: string[]): ExpectedChannel[] {
  return ENGINES.flatMap((engine) => {
    const known = SHOPPING_CHANNELS.find((each) => each.engine === engine)?.status;
    const status = observable.includes(engine) ? 'parses-today' : known;
    if (status === undefined) return [];
    const sampled = runs.some((run) => run.engine === engine);
    const count = carousels.filter((carousel) => carousel.engine === engine).length;
    return [{ engine, status, sampled, carousels: sampled && status === 'parses-today' ? count : null }];
  });
}
