/** When the demo's runs are collected: days as whole numbers since 1970-01-01, the trend, and the schedule. */
import { type EngineId, engineIds } from '../../contract/engines.js';
import { DAY_MS, utcDay } from '../../server/base/days.js';
import type { DemoPrompt, Market, Region } from './market.js';
import { randomOf } from './random.js';

export const DAY_SECONDS = 86_400;

export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
export const dayOfText = (text: string): number => dayOf(new Date(`${text}T00:00:00Z`));
/** Formats a day as YYYY-MM-DD. */
export const dateText = (day: number): string => utcDay(new Date(day * DAY_MS));
/** Formats a time by RFC 3339; `second` is counted from midnight UTC. */
export const timeText = (day: number, second: number): string =>
  new Date(day * DAY_MS + second * 1000).toISOString();
/** The time that many days before `now`, by RFC 3339. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();
/** The number of days, with a fraction, from midnight of `day` to `now`. */
export const daysSince = (day: number, now: Date): number => now.getTime() / DAY_MS - day;
/** The Monday of the day's week. Day 0 was a Thursday. */
export const mondayOf = (day: number): number => day - ((day + 3) % 7);

/** Yields the days from `first` to `last`, including both. */
export function* daysFrom(first: number, last: number): Generator<number> {
  for (let day = first; day <= last; day++) yield day;
}

const QUARTER_MONTHS: readonly number[] = [1, 4, 7, 10];
/** Whether a day is one of the first ten days of a quarter. */
function isQuarterOpening(day: number): boolean {
  const [, month, date] = dateText(day).split('-').map(Number);
  return QUARTER_MONTHS.includes(month!) && date! <= 10;
}

/**
 * The day when collection for the archived brand ended: the last 10th of January, April, July or October that is at
 * least three weeks ago. It is a calendar date and not "n days ago", so that it does not change with each start.
 */
export function closingDay(today: number): number {
  let day = today - 21;
  while (!(isQuarterOpening(day) && dateText(day).endsWith('-10'))) day--;
  return day;
}

// The trend of the market. It depends on the calendar only, so that the data of past days never changes.

const CYCLE_DAYS = 364;
/** The part of a cycle in which the momentum rises. In the rest it falls. */
const RISING = 0.85;
const TROUGH = dayOfText('2026-06-01');
const WEEKLY_SWING = 0.1;

/** The momentum of the market, 0 to 1: it rises for ten months, then falls for two. */
export function momentum(day: number): number {
  const phase = ((((day - TROUGH) % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS) / CYCLE_DAYS;
  return phase < RISING ? phase / RISING : (1 - phase) / (1 - RISING);
}

/** A factor near 1 that drifts from one week's value to the next. */
export function weeklySwing(name: string, day: number): number {
  const week = Math.floor(day / 7);
  const swingOf = (at: number) => randomOf(name, 'week', at).next() * 2 - 1;
  const share = (day - week * 7) / 7;
  return 1 + WEEKLY_SWING * (swingOf(week) * (1 - share) + swingOf(week + 1) * share);
}

// Decides which prompt runs on which engine, on which day and at what time, and in which region.

export interface Slot {
  readonly day: number;
  readonly date: string;
  readonly engine: EngineId;
  readonly prompt: DemoPrompt;
  readonly region: Region;
  /** Seconds after midnight UTC. */
  readonly second: number;
}

const regionShares: readonly { readonly region: Region; readonly share: number }[] = [
  { region: 'us', share: 0.55 },
  { region: 'gb', share: 0.25 },
  { region: 'de', share: 0.2 },
];

/** The first run of each engine is shortly after midnight, so that a day that has just begun is not empty. */
const FIRST_RUN_SPACING_SECONDS = 5;

/** Whether the prompt runs on the engine: not if the engine never names a maker in the prompt. */
function isAsked(market: Market, prompt: DemoPrompt, engine: EngineId): boolean {
  const named = market.entities.filter((entity) => prompt.about?.includes(entity.id));
  return named.every((entity) => entity.engines?.[engine] !== 0);
}

function isDue(market: Market, day: number, prompt: number, engine: number): boolean {
  const { status } = market.prompts[prompt]!;
  if (status === 'new' || (status === 'seasonal' && !isQuarterOpening(day))) return false;
  return (
    market.dailyEngines.includes(engineIds[engine]!) || (day + prompt + engine) % market.cadenceDays === 0
  );
}

export function* slotsOf(market: Market, day: number): Generator<Slot> {
  const date = dateText(day);
  for (const [engineIndex, engine] of engineIds.entries()) {
    let first = true;
    for (const [promptIndex, prompt] of market.prompts.entries()) {
      if (!isDue(market, day, promptIndex, engineIndex) || !isAsked(market, prompt, engine)) continue;
      const random = randomOf(market.brand, date, engine, prompt.id, 'slot');
      const { region } = random.weighted(regionShares, ({ share }) => share);
      const second = first ? engineIndex * FIRST_RUN_SPACING_SECONDS : random.integer(60, DAY_SECONDS - 1);
      first = false;
      yield { day, date, engine, prompt, region, second };
    }
  }
}
