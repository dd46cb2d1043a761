import { fold } from '../entities.js';
import type { Open } from '../open.js';
import { OPEN } from '../open.js';
import { positionWeight } from '../tally.js';
import { byCodePoint } from '../text-order.js';
import type { Carousel, Placement } from './placements.js';
import { meanSlot } from './placements.js';
import { priceOf } from './prices.js';

/** What a product row takes from one placement; a field on which equal candidates differ is open. */
interface ProductValues {
  product: string;
  merchant: string | null | Open;
  price: string | null | Open;
  price_amount: number | null | Open;
  currency: string | null | Open;
  url: string | null | Open;
  is_own: boolean | Open;
}

export interface ExpectedProduct extends ProductValues {
  merchant_domain: string | null;
  appearances: number;
  carousels_featuring: number;
  win_rate: number;
  visibility_share: number;
  avg_position: number;
}

/** Every product of the carousels, by placement strength, appearances, mean slot and name. */
export function expectedProducts(carousels: Carousel[]): ExpectedProduct[] {
  const groups = new Map<string, Placement[]>();
  for (const placement of carousels.flatMap((carousel) => carousel.placements)) {
    const key = JSON.stringify([fold(placement.captured.product), placement.merchantDomain]);
    groups.set(key, [...(groups.get(key) ?? []), placement]);
  }
  return [...groups.values()]
    .map((placements) => ({ row: rowOf(placements, carousels), strength: strengthOf(placements) }))
    .sort(
      (a, b) =>
        b.strength - a.strength ||
        b.row.appearances - a.row.appearances ||
        a.row.avg_position - b.row.avg_position ||
        byCodePoint(a.row.product, b.row.product) ||
        byCodePoint(a.row.merchant_domain ?? '', b.row.merchant_domain ?? ''),
    )
    .map(({ row }) => row);
}

function rowOf(placements: Placement[], carousels: Carousel[]): ExpectedProduct {
  const featuring = carousels.filter((carousel) =>
    carousel.placements.some((placement) => placements.includes(placement)),
  );
  return {
    ...newestValues(placements),
    merchant_domain: placements[0]!.merchantDomain,
    appearances: placements.length,
    carousels_featuring: featuring.length,
    win_rate: placements.filter(({ captured }) => captured.slot === 1).length / placements.length,
    visibility_share: featuring.length / carousels.length,
    avg_position: meanSlot(placements)!,
  };
}

function strengthOf(placements: Placement[]): number {
  return placements.reduce((sum, { captured }) => sum + positionWeight(captured.slot), 0);
}

/** From the newest run by (collected_at, id), the lowest slot; two carousels of it may share that slot. */
function newestValues(placements: Placement[]): ProductValues {
  const [first, ...others] = [...placements].sort(newestFirst);
  const values = valuesOf(first!);
  const alike = others.filter((other) => newestFirst(first!, other) === 0).map(valuesOf);
  const differing = Object.entries(values)
    .filter(([field, value]) => alike.some((other) => other[field as keyof ProductValues] !== value))
    .map(([field]) => [field, OPEN]);
  return { ...values, ...Object.fromEntries(differing) };
}

function newestFirst(a: Placement, b: Placement): number {
  return (
    Date.parse(b.run.collected_at) - Date.parse(a.run.collected_at) ||
    byCodePoint(b.run.id, a.run.id) ||
    a.captured.slot - b.captured.slot
  );
}

function valuesOf({ captured, own }: Placement): ProductValues {
  return {
    product: captured.product,
    merchant: captured.merchant ?? null,
    ...priceOf(captured),
    url: captured.url ?? null,
    is_own: own,
  };
}
