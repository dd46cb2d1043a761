import type { Window } from '../days.js';
import { dayOf } from '../days.js';
import { hostOf, isUnder } from '../domains.js';
import type { BrandRecord, CapturedPlacement, DatasetRecord, RunRecord } from '../records.js';
import { runsWithin } from '../runs.js';

/** One product in one slot of one carousel. */
export interface Placement {
  captured: CapturedPlacement;
  run: RunRecord;
  own: boolean;
  merchantDomain: string | null;
}

/** One captured carousel; its day is its run's. */
export interface Carousel {
  engine: string;
  day: string;
  placements: Placement[];
}

/** The carousels of a window on every engine that collected. */
export function carouselsWithin(records: DatasetRecord[], brand: BrandRecord, window: Window): Carousel[] {
  return runsWithin(records, brand.id, window).flatMap((run) =>
    (run.carousels ?? []).map(({ placements }) => ({
      engine: run.engine,
      day: dayOf(run.collected_at),
      placements: placements.map((captured) => placementOf(captured, run, brand)),
    })),
  );
}

function placementOf(captured: CapturedPlacement, run: RunRecord, brand: BrandRecord): Placement {
  const merchantDomain = hostOf(captured.url);
  const linked = merchantDomain !== null && isUnder(merchantDomain, brand.domain);
  return { captured, run, own: captured.is_own ?? linked, merchantDomain };
}

export function meanSlot(placements: Placement[]): number | null {
  if (placements.length === 0) return null;
  return placements.reduce((sum, placement) => sum + placement.captured.slot, 0) / placements.length;
}
