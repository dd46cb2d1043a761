import { currentWindow, daysOf } from '../days.js';
import { CAROUSEL_ENGINES, observableEngines } from '../engines.js';
import { WORDS } from '../open.js';
import type { DatasetRecord } from '../records.js';
import { runsWithin } from '../runs.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Carousel } from './placements.js';
import { carouselsWithin, meanSlot } from './placements.js';

export interface ExpectedShoppingDay {
  date: string;
  carousels: number;
  own_carousel_share: number;
  own_win_share: number;
  own_avg_position: number | null;
}

export interface ExpectedShoppingTrend {
  brand: BrandReference;
  window_days: number;
  days_observed: number;
  trend: ExpectedShoppingDay[];
  note: string | null;
  engines_observable: string[];
}

/** The body of shopping-trend; null = 404. Fewer than two days are a snapshot, and the note states it. */
export function expectedShoppingTrend(records: DatasetRecord[], scope: Scope): ExpectedShoppingTrend | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const window = currentWindow(scope.today);
  const carousels = carouselsWithin(records, brand, window);
  const trend = daysOf(window).flatMap((date) => {
    const ofDay = carousels.filter((carousel) => carousel.day === date);
    return ofDay.length === 0 ? [] : [pointOf(date, ofDay)];
  });
  return {
    brand: referenceTo(brand),
    window_days: 7,
    days_observed: trend.length,
    trend,
    note: trend.length < 2 ? WORDS : null,
    engines_observable: observableEngines(
      'carousels',
      CAROUSEL_ENGINES,
      runsWithin(records, brand.id, window),
    ),
  };
}

function pointOf(date: string, carousels: Carousel[]): ExpectedShoppingDay {
  const ownOf = (carousel: Carousel) => carousel.placements.filter((placement) => placement.own);
  const featuring = carousels.filter((carousel) => ownOf(carousel).length > 0);
  const won = carousels.filter((carousel) => ownOf(carousel).some(({ captured }) => captured.slot === 1));
  return {
    date,
    carousels: carousels.length,
    own_carousel_share: featuring.length / carousels.length,
    own_win_share: won.length / carousels.length,
    own_avg_position: meanSlot(carousels.flatMap(ownOf)),
  };
}
