import { carouselEngineIds, type EngineId, engines, inTableOrder } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { Fact } from '../../../contract/read.js';
import type { Product, Shopping } from '../../../contract/reads/shopping.js';
import type { BrandWindow, Db } from '../../base/statement.js';
import { linkDomain } from '../citations/domain.js';
import { parsePrice } from '../metrics/price.js';
import * as metric from '../metrics/shopping.js';
import { enginesWithRuns } from '../sums/collected-days.js';
import { observingEngines } from '../sums/collection.js';
import { carouselsByEngine, type ProductRow, strongestProducts } from '../sums/shopping.js';
import { ofLastDays } from './reader.js';

export const reader = ofLastDays<'shopping'>(async ({ db }, window) => {
  const [byEngine, sampled, observable, rows] = await Promise.all([
    carouselsByEngine(db, window),
    enginesWithRuns(db, window),
    observableIn(db, window),
    strongestProducts(db, { ...window, rows: CAPS.products }),
  ]);
  const all = byEngine.reduce<metric.CarouselSums>(metric.addCarousels, metric.NO_CAROUSELS);
  const ran = new Set(sampled.map((row) => row.engine));
  const products = rows.map((row) => ({ row, product: productOf(row, all) })).sort(byStrength);
  return {
    totals: {
      carousels: all.carousels,
      products: rows[0]?.products ?? 0,
      own_appearances: all.ownPlacements,
      own_avg_position: metric.ownAvgPosition(all),
    },
    products: products.slice(0, CAPS.products).map(({ product }) => product),
    channel_coverage: coverage(ran, observable, new Map(byEngine.map((row) => [row.engine, row.carousels]))),
    ...noted([reasonOf(all, ran, observable)]),
    engines_observable: observable,
  };
});

/** Engines whose payloads carry products, and those of which a run of the window observes carousels. */
export async function observableIn(db: Db, window: BrandWindow): Promise<EngineId[]> {
  const observing = await observingEngines.carousels(db, window);
  return inTableOrder([...carouselEngineIds, ...observing.map(({ engine }) => engine)]);
}

interface Ranked {
  readonly row: ProductRow;
  readonly product: Product;
}

/** Strength, then appearances, mean slot (the appearances are equal by then), name, and merchant as the last word. */
const byStrength = (a: Ranked, b: Ranked): number =>
  b.row.weightSum - a.row.weightSum ||
  b.row.placements - a.row.placements ||
  a.row.slotSum - b.row.slotSum ||
  compareText(a.row.product, b.row.product) ||
  compareText(a.product.merchant_domain ?? '', b.product.merchant_domain ?? '');

/** A structured price of the payload wins; the price text fills in what is missing. */
function productOf(row: ProductRow, all: metric.CarouselSums): Product {
  const read = row.price === null ? { amount: null, currency: null } : parsePrice(row.price);
  const amount = row.priceAmount ?? read.amount;
  return {
    product: row.product,
    merchant_domain: linkDomain(row.url),
    merchant: row.merchant,
    price: row.price,
    price_amount: amount,
    currency: row.currency ?? (amount === null ? null : read.currency),
    url: row.url,
    is_own: row.isOwn,
    appearances: row.placements,
    carousels_featuring: row.carousels,
    win_rate: metric.winRate(row),
    visibility_share: metric.visibilityShare(row, all),
    avg_position: metric.avgSlot(row),
  };
}

/** A count is null where it could not be observed: the engine did not run, or its payloads carry no products yet. */
const coverage = (
  ran: ReadonlySet<string>,
  observable: readonly EngineId[],
  carousels: ReadonlyMap<string, number>,
): Shopping['channel_coverage'] =>
  engines.flatMap(({ id, shopping }) => {
    const isObservable = observable.includes(id);
    const status = isObservable ? 'parses-today' : shopping;
    if (status === null) return [];
    const counted = ran.has(id) && isObservable ? (carousels.get(id) ?? 0) : null;
    return [{ engine: id, status, sampled: ran.has(id), carousels: counted }];
  });

/** Why there is nothing; null when there is something. */
function reasonOf(
  { carousels }: metric.CarouselSums,
  ran: ReadonlySet<string>,
  observable: readonly EngineId[],
): Fact | null {
  if (carousels > 0) return null;
  const observed = observable.some((id) => ran.has(id));
  return fact(observed ? 'no_carousel' : 'carousels_not_observed');
}
