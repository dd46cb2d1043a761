/**
 * Which metrics that moved say nothing new, because another one that is told says it already. Without database and clock.
 */
import {
  CONFIRMING_NIGHTS,
  type FoldedInto,
  MOVE_DAYS,
  MOVE_WINDOWS,
  NAMED_METRICS,
} from '../../../contract/moves.js';
import { directionOf, isClear, testOf } from '../../answers/metrics/change.js';
import { type Cell, contributionsOf } from '../../answers/metrics/contributions.js';
import { boundsOf, estimateOf, intervalOf } from '../../answers/metrics/intervals.js';
import type { Sample } from '../../answers/metrics/samples.js';
import type { TrackedEntity } from '../../answers/sums/tracked-entities.js';
import { addDays, everyDayOf, type Window, windowBefore } from '../../base/days.js';
import { engineCells, type History, type Scope, sampleIn } from './history.js';
import type { Held } from './verdicts.js';

/** A move that was told, or folded, on a night. */
export interface Standing extends FoldedInto {
  readonly held: Held;
  readonly night: number;
  readonly isFolded: boolean;
  /** The window of what was told first of its change: its own, or of what it is folded into. */
  readonly first: Window;
}

/** The nights in which the metrics of one change follow each other: until the short window has nothing but days after it. */
const FOLLOWING_NIGHTS = MOVE_WINDOWS[0];

/** The part of a change that others must account for, so that it is only their part or their mirror. */
const LEAST_PART = 0.5;

const isBrand = ({ entity }: Held): boolean => entity.entity === 0;

/**
 * The move that says it already; undefined: it is told.
 * @param standing What was told before and what is worth more of the same night; none has moved back.
 */
export function foldOf(
  history: History,
  held: Held,
  night: number,
  standing: readonly Standing[],
): Standing | undefined {
  const recent = standing.filter((each) => night - each.night <= MOVE_DAYS);
  return isBrand(held) ? sameOf(history, held, night, recent) : mirrorOf(history, held, recent);
}

/**
 * Whether a verdict says more than one step that was told before: that step began before the last of the nights that
 * confirmed it, so that the days since then, up to the window of the verdict, have all of it. Beyond are windows whose
 * interval lies past that of these days, which vary as those of the window that told it.
 * @param first The window that told it.
 */
export function isBeyond(history: History, held: Held, first: Window): boolean {
  const { metric, entity, scope, direction, window } = held;
  const sums = history.scopes.get(scope);
  if (!sums || first.end === window.end) return false;
  const sample = (of: Window) => sampleIn(sums, of, everyDayOf(of), entity, history.gaps);
  const last = addDays(window.start, -1);
  const since = {
    start: addDays(first.end, 1 - CONFIRMING_NIGHTS),
    end: last > first.end ? last : first.end,
  };
  const [level, spread] = [estimateOf(metric, sample(since)), estimateOf(metric, sample(first))];
  const now = intervalOf(metric, sample(window));
  if (!level || !spread || !now) return false;
  const variance = (spread.variance * spread.days.length) / level.days.length;
  const then = boundsOf(metric, { ...level, variance, freedom: spread.freedom });
  return then !== null && (direction === 'up' ? now[0] > then[1] : now[1] < then[0]);
}

/** The standing moves that the verdict is not beyond. Many of them have the same window. */
function within(history: History, held: Held, standing: readonly Standing[]): Standing[] {
  const beyond = new Map<Window, boolean>();
  return standing.filter(({ first }) => {
    const found = beyond.get(first) ?? isBeyond(history, held, first);
    beyond.set(first, found);
    return !found;
  });
}

/** The standing move that says a verdict of the brand already: of its metric on all engines or on its engine, or of a change told before. */
function sameOf(
  history: History,
  held: Held,
  night: number,
  standing: readonly Standing[],
): Standing | undefined {
  const same = within(
    history,
    held,
    standing.filter((each) => isBrand(each.held) && each.held.direction === held.direction),
  );
  const ofMetric = same.filter((each) => each.held.metric === held.metric);
  const whole =
    held.scope === null
      ? movedBy(
          history,
          held,
          ofMetric.filter((each) => each.night < night && each.held.scope !== null),
        )
      : ofMetric.find((each) => each.held.scope === null);
  return (
    whole ??
    same.find(
      (each) =>
        !each.isFolded &&
        each.night < night &&
        night - each.night <= FOLLOWING_NIGHTS &&
        each.held.days <= held.days &&
        isOneChange(held, each.held),
    )
  );
}

/** Whether both are what the same change of the answers shows, `other` of at least the same engines. */
export const isOneChange = (held: Held, other: Held): boolean =>
  [held, other].every((each) => isBrand(each) && NAMED_METRICS.includes(each.metric)) &&
  held.direction === other.direction &&
  (other.scope === null || other.scope === held.scope);

/** The move of the engine that contributed most to all engines together, if the told engines account for the change. */
function movedBy(
  history: History,
  { metric, entity, window }: Held,
  standing: readonly Standing[],
): Standing | undefined {
  if (standing.length === 0) return undefined;
  const cells = engineCells(history, entity, window, windowBefore(window));
  const whole = samplesOf(history, null, window, entity);
  const parts =
    whole &&
    contributionsOf(
      metric,
      whole,
      cells.map(({ cell }) => cell),
      true,
    );
  if (!parts) return undefined;
  const total = parts.reduce((sum, part) => sum + (part?.total ?? 0), 0);
  return mostOf(
    standing.map((each) => ({
      each,
      part: (parts[cells.findIndex(({ engine }) => engine === each.held.scope)]?.total ?? 0) / total,
    })),
  );
}

interface Part {
  readonly each: Standing;
  /** Its part of the whole change. */
  readonly part: number;
}

/** The one with the largest part; undefined: together they account for less than half. */
function mostOf(parts: readonly Part[]): Standing | undefined {
  const all = parts.reduce((sum, { part }) => sum + part, 0);
  // Not a number where nothing changed or nobody is named: then nothing is known.
  if (!(all >= LEAST_PART)) return undefined;
  return parts.reduce((most, each) => (each.part > most.part ? each : most)).each;
}

/** The standing move of which a verdict of a competitor is only the mirror. */
function mirrorOf(history: History, held: Held, standing: readonly Standing[]): Standing | undefined {
  const partOf = mirroredPart(history, held);
  if (!partOf) return undefined;
  const parts = new Map<number, Part>();
  for (const each of standing) {
    const { entity, metric, direction } = each.held;
    if (direction === held.direction || parts.has(entity.entity)) continue;
    if (isBrand(each.held) && !isOfMentions(metric)) continue;
    const samples = samplesOf(history, held.scope, held.window, entity);
    const mentioned = samples && mentionTestOf(samples);
    // Only one of two competitors that mirror each other is told.
    if (!samples || !mentioned || (!isBrand(each.held) && !isMovedWith(mentioned, each.held))) continue;
    parts.set(entity.entity, { each, part: partOf(samples) });
  }
  return mostOf([...parts.values()]);
}

/** Whether a move of a competitor is the mirror of the brand, also where that has no verdict yet. */
export function isMirrorOfBrand(history: History, held: Held): boolean {
  const partOf = isBrand(held) ? undefined : mirroredPart(history, held);
  const brand = history.tracked.find(({ entity }) => entity === 0);
  const samples = brand && samplesOf(history, held.scope, held.window, brand);
  return partOf !== undefined && samples !== undefined && partOf(samples) >= LEAST_PART;
}

/**
 * Returns the part of the change of a share that another entity accounts for, because answers name that entity more or less
 * often; undefined: they name the entity of the share more or less often, or the change is not known.
 */
function mirroredPart(history: History, held: Held): ((other: Cell) => number) | undefined {
  const own = samplesOf(history, held.scope, held.window, held.entity);
  const mentioned = own && mentionTestOf(own);
  if (!own || !mentioned || isMovedWith(mentioned, held)) return undefined;
  const [before, after] = [perAnswer(own.before, 'all'), perAnswer(own.after, 'all')];
  const [named, namedNow] = [perAnswer(own.before, 'entity'), perAnswer(own.after, 'entity')];
  /** What the share loses if each answer mentions another entity once more. */
  const taken = (((named + namedNow) / 2) * (1 / after - 1 / before)) / (after - before);
  const change = namedNow / after - named / before;
  return (other) => ((perAnswer(other.after, 'entity') - perAnswer(other.before, 'entity')) * taken) / change;
}

const isOfMentions = (metric: Held['metric']): boolean =>
  NAMED_METRICS.includes(metric) && metric !== 'citation_share';

const isMovedWith = (test: NonNullable<ReturnType<typeof testOf>>, { direction }: Held): boolean =>
  isClear(test) && directionOf(test) === direction;

/** An entity in a window and the one before; undefined: no answer is of the scope. */
function samplesOf(
  { scopes, gaps }: Pick<History, 'scopes' | 'gaps'>,
  scope: Scope,
  window: Window,
  entity: TrackedEntity,
): Cell | undefined {
  const sums = scopes.get(scope);
  if (!sums) return undefined;
  const prior = windowBefore(window);
  return {
    before: sampleIn(sums, prior, everyDayOf(prior), entity, gaps),
    after: sampleIn(sums, window, everyDayOf(window), entity, gaps),
  };
}

const mentionTestOf = ({ before: previous, after: current }: Cell) =>
  testOf('presence_rate', { current, previous });

/** How often an answer names the entity, or any. */
const perAnswer = ({ totals, entity }: Sample, of: 'entity' | 'all'): number =>
  (of === 'all' ? totals.presences : entity.present) / totals.runs;
