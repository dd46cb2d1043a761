/** Shopping formulas, all unrounded. Null means not measured. */

/** Sums over some carousels; each carousel belongs to one run of one day. */
export interface CarouselSums {
  readonly carousels: number;
  /** Carousels with an own product in any slot. */
  readonly ownCarousels: number;
  /** Carousels with an own product in slot 1. */
  readonly ownWins: number;
  readonly ownPlacements: number;
  readonly ownSlotSum: number;
}

export const NO_CAROUSELS: CarouselSums = {
  carousels: 0,
  ownCarousels: 0,
  ownWins: 0,
  ownPlacements: 0,
  ownSlotSum: 0,
};

/** The sums of both together. */
export const addCarousels = (a: CarouselSums, b: CarouselSums): CarouselSums => ({
  carousels: a.carousels + b.carousels,
  ownCarousels: a.ownCarousels + b.ownCarousels,
  ownWins: a.ownWins + b.ownWins,
  ownPlacements: a.ownPlacements + b.ownPlacements,
  ownSlotSum: a.ownSlotSum + b.ownSlotSum,
});

/** Mean slot of own placements, counted from 1 at the front; null: there is no own placement. */
export const ownAvgPosition = ({ ownPlacements, ownSlotSum }: CarouselSums): number | null =>
  ownPlacements === 0 ? null : ownSlotSum / ownPlacements;

/** Share of carousels with an own product, 0 to 1. Requires at least one carousel. */
export const ownCarouselShare = ({ ownCarousels, carousels }: CarouselSums): number =>
  ownCarousels / carousels;

/** Share of carousels with an own product in slot 1, 0 to 1. Requires at least one carousel. */
export const ownWinShare = ({ ownWins, carousels }: CarouselSums): number => ownWins / carousels;

export interface ProductSums {
  readonly placements: number;
  readonly carousels: number;
  readonly firstSlots: number;
  readonly slotSum: number;
}

/** Share of the product's own placements that are in slot 1, 0 to 1. It does not compare the product with others. */
export const winRate = ({ firstSlots, placements }: ProductSums): number => firstSlots / placements;

/** Share of the window's carousels that contain the product, 0 to 1. */
export const visibilityShare = ({ carousels }: ProductSums, all: { carousels: number }): number =>
  carousels / all.carousels;

/** Mean slot, counted from 1 at the front. */
export const avgSlot = ({ slotSum, placements }: ProductSums): number => slotSum / placements;
