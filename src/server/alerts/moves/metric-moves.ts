/** The metrics that moved: verdicts that hold on two nights in a row, each told once. Without database and clock. */

import { byWorth } from '../../../contract/move-groups.js';
import {
  CONFIRMING_NIGHTS,
  type Direction,
  type FoldedInto,
  MOVE_DAYS,
  MOVE_WINDOWS,
} from '../../../contract/moves.js';
import { FALSE_DISCOVERIES, largestRejected } from '../../answers/metrics/contributions.js';
import { differenceOf, roundedValue } from '../../answers/metrics/values.js';
import { addDays, everyDayOf, type Window } from '../../base/days.js';
import { foldOf, isBeyond, isMirrorOfBrand, isOneChange, type Standing } from './folds.js';
import type { FoundMove } from './found.js';
import type { History } from './history.js';
import { type Held, type Verdicts, verdictsOn } from './verdicts.js';

const [SHORT, LONG] = MOVE_WINDOWS;

/**
 * The nights that are looked at before the first one that may tell: whether a move was told before depends on the
 * `MOVE_DAYS` before, and whether a long window was heard there on as many before these.
 */
export const EARLIER_NIGHTS = 2 * MOVE_DAYS + CONFIRMING_NIGHTS - 1;

/** The days whose sums tell about some nights. A night is named after the last day of its windows. */
export const daysFor = ({ start, end }: Window): Window => ({
  start: addDays(start, 1 - EARLIER_NIGHTS - 2 * LONG),
  end,
});

/** How careful the search is; simulations compare others with it. */
interface Rules {
  /** The part of wrong verdicts of a night that is accepted; infinite: no control. */
  readonly falseDiscoveries: number;
  /** Nights in a row on which a verdict must hold. */
  readonly confirming: 1 | typeof CONFIRMING_NIGHTS;
}
const RULES: Rules = { falseDiscoveries: FALSE_DISCOVERIES, confirming: CONFIRMING_NIGHTS };

/** What was last said about a series. */
interface Said {
  readonly direction: Direction;
  readonly night: number;
  /** The day of the move that said it. */
  readonly day: string;
  /** The window of what was told first of the change. */
  readonly first: Window;
}

/**
 * What is told on each night, oldest first. A verdict is confirmed if the night before has it too. It is told if the last
 * confirmed verdict about the same metric, entity and engine is older than `MOVE_DAYS`, or of the other direction, or if it
 * is beyond what was told: the edge of a change, and not its level. Long windows are for changes that short ones do not
 * show, which have still an opinion on a change when it is weeks old. What another move says already is folded into it.
 */
export async function metricMoves(
  history: History,
  nights: Window,
  { falseDiscoveries, confirming }: Rules = RULES,
): Promise<FoundMove<'metric'>[]> {
  const nightOn = confirmations(history, falseDiscoveries, confirming);
  // Most nights confirm nothing, so that the earlier ones need not be looked at.
  const recent: Held[] = [];
  for (const day of everyDayOf(nights)) recent.push(...(await nightOn(day)).confirmed);
  if (recent.length === 0) return [];
  const said = new Map<string, Said>();
  const shortNights = new Map<string, number>();
  const told: FoundMove<'metric'>[] = [];
  let standing: Standing[] = [];
  const looked = everyDayOf({ start: addDays(nights.start, 1 - EARLIER_NIGHTS), end: nights.end });
  for (const [night, day] of looked.entries()) {
    const { held, confirmed, others } = await nightOn(day);
    /** What said the same direction lately. */
    const formerOf = (each: Held): Said | undefined => {
      const former = latest(sameSeries(each).map((key) => said.get(key)));
      return former?.direction === each.direction && night - former.night <= MOVE_DAYS ? former : undefined;
    };
    const isKnown = (each: Held): boolean => {
      const former = formerOf(each);
      return former !== undefined && !isBeyond(history, each, former.first);
    };
    const say = (each: Held, { day: since, first }: Pick<Said, 'day' | 'first'>) => {
      for (const key of sameSeries(each))
        said.set(key, { direction: each.direction, night, day: since, first });
    };
    const mayBeLong = (each: Held) =>
      sameSeries(each).every((key) => night - (shortNights.get(key) ?? -Infinity) > MOVE_DAYS);
    const heard = bySeries(confirmed, mayBeLong);
    for (const each of heard.filter(isKnown)) say(each, formerOf(each)!);
    const news = heard.filter((each) => !isKnown(each));
    const unconfirmed = bySeries(
      held.filter((each) => !confirmed.includes(each)),
      mayBeLong,
    ).filter((each) => !isKnown(each));
    const isWorthLess = (a: Held, b: Held) => byWorth(moveOf(a, day), moveOf(b, day)) > 0;
    /** Whether another night may tell it better. */
    const waits = (each: Held): boolean =>
      isMirrorOfBrand(history, each) ||
      unconfirmed.some(
        (other) =>
          (isOneChange(each, other) && isWorthLess(each, other)) ||
          foldOf(history, each, night, [standingAs(other, night, day)]) !== undefined,
      );
    /** Whether it holds among what is no consequence of what is told. */
    const isNews = (each: Held): boolean => {
      const tonight = standing.filter((other) => other.night === night);
      const isConsequence = (other: Held) =>
        isKnown(other) ||
        tonight.some((one) => isOneChange(other, one.held)) ||
        foldOf(history, other, night, standing) !== undefined;
      const family = held.filter((other) => other === each || !isConsequence(other)).map(({ p }) => p);
      return each.p <= largestRejected([...family, ...others], falseDiscoveries);
    };
    for (const each of news.sort((a, b) => byWorth(moveOf(a, day), moveOf(b, day)))) {
      const folded = foldOf(history, each, night, standing);
      if (!folded && (waits(each) || !isNews(each))) continue;
      const now = standingAs(each, night, day, folded);
      standing = [...standing.filter(({ subject }) => subject !== now.subject), now];
      const former = formerOf(each);
      say(each, now);
      if (day < nights.start) continue;
      told.push({ ...moveOf(each, day, folded), ...(former && { after: former.day }) });
    }
    for (const each of confirmed.filter(({ days }) => days === SHORT))
      for (const key of sameSeries(each)) shortNights.set(key, night);
  }
  return told;
}

const standingAs = (held: Held, night: number, day: string, into?: Standing): Standing => ({
  held,
  night,
  day,
  isFolded: into !== undefined,
  // A mirror moves the other way, so that it has no part in what that one began with.
  first: into?.held.direction === held.direction ? into.first : held.window,
  subject: seriesKey(held),
});

/** The verdicts of a night, and those that the night before has too. */
interface Night extends Verdicts {
  readonly confirmed: readonly Held[];
}

/** Judges nights, each once. */
function confirmations(
  history: History,
  falseDiscoveries: number,
  confirming: Rules['confirming'],
): (day: string) => Promise<Night> {
  const known = new Map<string, Verdicts>();
  const verdicts = async (day: string): Promise<Verdicts> => {
    const found = known.get(day) ?? (await verdictsOn(history, day, falseDiscoveries));
    known.set(day, found);
    return found;
  };
  return async (day) => {
    const night = await verdicts(day);
    if (confirming === 1 || night.held.length === 0) return { ...night, confirmed: night.held };
    const before = new Set((await verdicts(addDays(day, -1))).held.map(verdictKey));
    return { ...night, confirmed: night.held.filter((each) => before.has(verdictKey(each))) };
  };
}

/** One confirmed verdict for each series: of the short window, else of the long one. */
function bySeries(confirmed: readonly Held[], mayBeLong: (each: Held) => boolean): Held[] {
  const short = confirmed.filter(({ days }) => days === SHORT);
  const heard = new Set(short.map(seriesKey));
  const long = confirmed.filter(
    (each) => each.days === LONG && !heard.has(seriesKey(each)) && mayBeLong(each),
  );
  return [...short, ...long];
}

const seriesKey = ({ metric, entity, scope }: Held): string =>
  JSON.stringify([metric, entity.entity === 0 ? null : entity.id, scope]);

/** The keys of what a verdict is about: also of the engine that all answers are of, so that it is told once. */
const sameSeries = (each: Held): string[] => [
  seriesKey(each),
  ...(each.onlyEngine === null ? [] : [seriesKey({ ...each, scope: each.onlyEngine })]),
];

const latest = (said: readonly (Said | undefined)[]): Said | undefined =>
  said.reduce((found, each) => ((each?.night ?? -1) > (found?.night ?? -1) ? each : found), undefined);

const verdictKey = (each: Held): string => `${seriesKey(each)} ${each.days} ${each.direction}`;

function moveOf(held: Held, day: string, into?: FoldedInto): FoundMove<'metric'> {
  const { metric, entity, scope, days, direction, window, before, after, interval } = held;
  const isBrand = entity.entity === 0;
  return {
    kind: 'metric',
    subject: seriesKey(held),
    direction,
    day,
    facts: {
      metric,
      entity: isBrand ? null : entity.id,
      name: isBrand ? null : entity.name,
      engine: scope,
      ...window,
      days,
      before: roundedValue(metric, before),
      after: roundedValue(metric, after),
      difference: differenceOf(metric, after, before)!,
      interval: [roundedValue(metric, interval[0]), roundedValue(metric, interval[1])],
      ...(into && { folded: { subject: into.subject, day: into.day } }),
    },
  };
}
