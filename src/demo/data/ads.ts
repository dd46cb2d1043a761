/** Generates the ad unit next to an answer, on engines that report ads. */
import { findEngine } from '../../contract/engines.js';
import type { Run } from '../../server/dataset/records/run.js';
import { dayOfText } from './calendar.js';
import type { Market } from './market.js';
import type { Random } from './random.js';
import type { Slot } from './schedule.js';

type Ad = NonNullable<Run['ad']>;

/** The first day on which ads were captured. */
const CAPTURE_BEGAN = dayOfText('2026-07-01');
const AD_SHARE = 0.14;

/** At most one ad unit per answer; null: none was shown, or the engine does not report ads. */
export function adOf(market: Market, slot: Slot, random: Random): Ad | null {
  const isObservable = findEngine(slot.engine)?.adsObservable === true && slot.day >= CAPTURE_BEGAN;
  if (!isObservable || !slot.prompt.shopping || !random.chance(AD_SHARE)) return null;
  return market.ads.length === 0 ? null : random.weighted(market.ads, ({ weight }) => weight).ad;
}
