/** Carousels, placements and ads of a run as they are stored. */
import type { Run } from '../records/run.js';

type Carousel = NonNullable<Run['carousels']>[number];
type Placement = Carousel['placements'][number];
type Ad = NonNullable<Run['ad']>;

/** The carousels and the ad of a run, and what of the run their rows repeat. */
export interface Extras {
  readonly engine: string;
  /** When the run was collected, as ISO time. */
  readonly time: string;
  readonly carousels: readonly Carousel[];
  readonly ad: Ad | null;
}

/** A placement as it is stored. */
export const placementRow = (placement: Placement) => ({
  slot: placement.slot,
  product: placement.product,
  url: placement.url ?? null,
  merchant: placement.merchant ?? null,
  price: placement.price ?? null,
  price_amount: placement.price_amount ?? null,
  currency: placement.currency ?? null,
  is_own: placement.is_own ?? null,
});

/** An ad as it is stored. */
export const adRow = (ad: Ad) => ({
  advertiser: ad.advertiser ?? null,
  advertiser_url: ad.advertiser_url ?? null,
  favicon_url: ad.favicon_url ?? null,
  cards: (ad.cards ?? []).map(({ title, body, target_url, image_url }) => ({
    title: title ?? null,
    body: body ?? null,
    target_url: target_url ?? null,
    image_url: image_url ?? null,
  })),
});
