/** Generates the searches that an engine reports for an answer. */
import { channelOf } from './channels.js';
import type { Market } from './market.js';
import type { Random } from './random.js';
import type { Slot } from './schedule.js';

const ECHO_SHARE = 0.4;

/** The prompt as a search query: in lower case and without punctuation. */
export const echoOf = (text: string): string => text.toLowerCase().replace(/[?:,]/g, '');

/** Distinct queries; if one repeats the prompt, it is the first. */
export function fanoutsOf(market: Market, slot: Slot, random: Random): string[] {
  const most = channelOf(slot.engine).fanouts;
  const count = most === 0 ? 0 : random.integer(0, most);
  if (count === 0) return [];
  const echo = random.chance(ECHO_SHARE) ? [echoOf(slot.prompt.text)] : [];
  const topic = market.topics.find(({ id }) => id === slot.prompt.topic)!;
  return [...echo, ...random.sample(topic.searches, count - echo.length, () => 1)];
}
