/** Generates runs from their parts. A run is one collected answer. */
import type { Run } from '../../server/dataset/records/run.js';
import { adOf } from './ads.js';
import { answerOf } from './answers.js';
import { timeText } from './calendar.js';
import { channelOf } from './channels.js';
import { citationsOf } from './citations.js';
import { fanoutsOf } from './fanouts.js';
import type { Market } from './market.js';
import { namingsOf } from './mentions.js';
import { randomOf } from './random.js';
import { type Slot, slotsOf } from './schedule.js';
import { carouselsOf } from './shopping.js';

function identity(market: Market, slot: Slot) {
  const { model } = channelOf(slot.engine);
  return {
    type: 'run' as const,
    id: `${slot.date}.${slot.engine}.${slot.prompt.id}.${slot.region}`,
    brand: market.brand,
    prompt: slot.prompt.id,
    engine: slot.engine,
    ...(model === undefined ? {} : { model }),
    region: slot.region,
    collected_at: timeText(slot.day, slot.second),
  };
}

/** The run of a slot. It depends only on the slot, so it is the same whenever it is made. */
export function runOf(market: Market, slot: Slot): Run {
  const run = identity(market, slot);
  // Each part has its own random source, so that a change to one generator does not change the other parts.
  const random = (part: string) => randomOf(market.brand, run.id, part);
  if (random('silent').chance(channelOf(slot.engine).silent)) return { ...run, mentions: [], citations: [] };
  const namings = namingsOf(market, slot, random('names'));
  const { text, mentions } = answerOf(market, slot, namings, random('text'));
  const carousels = carouselsOf(market, slot, namings, random('shelf'));
  const ad = adOf(market, slot, random('ad'));
  const fanouts = fanoutsOf(market, slot, random('searches'));
  return {
    ...run,
    answer: text,
    mentions,
    citations: citationsOf(market, slot, namings, random('links')),
    ...(carousels.length > 0 ? { carousels } : {}),
    ...(ad === null ? {} : { ad }),
    ...(fanouts.length > 0 ? { fanouts } : {}),
  };
}

/** The runs of one day that were collected up to `until` (RFC 3339, UTC, milliseconds). */
export function* runsOf(market: Market, day: number, until: string): Generator<Run> {
  for (const slot of slotsOf(market, day)) {
    if (timeText(slot.day, slot.second) <= until) yield runOf(market, slot);
  }
}
