/** The panel of an effect: which prompts were asked in the windows around a day, and what their answers show. */
import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import { measureValue } from '../../../contract/measures.js';
import { effect } from '../../../contract/reads/effect.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { addDays, everyDayOf, type Window, windowBefore, windowEnding } from '../../base/days.js';
import type { PromptPair, PromptWindow } from '../metrics/effect.js';
import { NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { areListed, cellDays } from '../sums/cell-sums.js';
import { type EngineDay, engineDays } from '../sums/collected-days.js';
import {
  activePrompts,
  type PanelPrompt,
  type PromptSums,
  promptSums,
  type WindowName,
  windowNames,
} from '../sums/effect-sums.js';
import { type ChosenRuns, EVERY_RUN } from '../sums/run-choice.js';
import type { ReadContext } from './reader.js';
import { requireRunsSince } from './slice.js';

/** What a request for an effect states. */
export interface EffectRequest {
  readonly context: ReadContext;
  readonly params: ParsedParamsOf<'effect'>;
  readonly requested: readonly EngineId[];
  readonly chosen: ChosenRuns | null;
}

export interface Windows {
  readonly prior: Window;
  readonly before: Window;
  /** Null: no day of it is complete. */
  readonly after: Window | null;
}

export function windowsAround(day: string, days: number, last: string): Windows {
  const before = windowEnding(addDays(day, -1), days);
  const end = addDays(day, days);
  const after = { start: addDays(day, 1), end: end < last ? end : last };
  return { prior: windowBefore(before), before, after: after.end < after.start ? null : after };
}

/** Two windows side by side that end on a day, between which nothing was done: a trial of the method. */
export function windowsUntil(last: string, days: number): Windows {
  const after = windowEnding(last, days);
  const before = windowBefore(after);
  return { prior: windowBefore(before), before, after };
}

const isIn = (window: Window | null, day: string): boolean =>
  window !== null && day >= window.start && day <= window.end;

/** Two days between which no day is. */
const NO_DAY: Window = { start: '2999-12-31', end: '1970-01-01' };

export interface Panelled extends PanelPrompt, PromptPair {
  readonly prior: PromptWindow | null;
}

export interface Panel {
  readonly windows: Windows;
  readonly engines: readonly EngineId[];
  /** Whether the roll-ups of the blended engines have exactly the runs of these engines. */
  readonly isWhole: boolean;
  /** The active prompts that were asked in both windows. */
  readonly prompts: readonly Panelled[];
  /** The days with answers, and the answers to all prompts. */
  readonly days: Readonly<Record<WindowName, number>>;
  readonly runs: Readonly<Record<WindowName, number>>;
  readonly firstDay: string | undefined;
  /** All runs on the engines; null: those of some surfaces are chosen. */
  readonly everyRun: Readonly<Record<WindowName, number>> | null;
}

const ofWindows = <T>(of: (name: WindowName) => T): Record<WindowName, T> =>
  Object.fromEntries(windowNames.map((name) => [name, of(name)])) as Record<WindowName, T>;

/** @param chosen Of which runs; null: all on the engines. */
export async function panelOf(
  { context, params, requested, chosen }: EffectRequest,
  windows: Windows,
): Promise<Panel> {
  const { db, brand } = context;
  const brandKey = brand.key;
  const span = { start: windows.prior.start, end: (windows.after ?? windows.before).end };
  const scope = await engineDays(db, { brandKey, days: everyDayOf(span) });
  const wasAsked = (id: EngineId, name: WindowName) =>
    scope.some(({ day, engine, runs }) => engine === id && runs > 0 && isIn(windows[name], day));
  const engines = requested.filter((id) => wasAsked(id, 'before') && wasAsked(id, 'after'));
  const isBlended = engines.every((id) => blendedEngineIds.includes(id));
  const hasAll = blendedEngineIds.every(
    (id) => engines.includes(id) || !scope.some(({ engine }) => engine === id),
  );
  const isWhole = chosen === null && isBlended && hasAll;
  const [prompts, found] = await Promise.all([
    activePrompts(db, { brandKey }),
    isWhole
      ? fromRollup(
          context,
          windows,
          scope.filter(({ engine }) => engines.includes(engine as EngineId)),
        )
      : fromCells({ context, params, requested: engines, chosen }, windows, span),
  ]);
  const { sums, days } = found;
  const { metric = effect.params.metric.default } = params;
  const windowOf = (row: PromptSums, at: number): PromptWindow | null => {
    const [runs, present, weightSum] = [row.runs[at]!, row.present[at]!, row.weights[at]!];
    const entity = { ...NO_SUMS, present, weightSum };
    const value = measureValue(metric, { entity, totals: { ...NO_RUNS, runs }, hasDomain: true });
    return value === null ? null : { runs, present, value };
  };
  const byKey = new Map(sums.map((row) => [row.key, row]));
  return {
    windows,
    engines,
    isWhole,
    prompts: prompts.flatMap((prompt) => {
      const row = byKey.get(prompt.key);
      const [prior, before, after] = windowNames.map((_, at) => row && windowOf(row, at));
      return before && after ? [{ ...prompt, prior: prior ?? null, before, after }] : [];
    }),
    days: ofWindows((name) => [...days.keys()].filter((day) => isIn(windows[name], day)).length),
    runs: ofWindows((name) =>
      [...days].reduce((sum, [day, runs]) => (isIn(windows[name], day) ? sum + runs : sum), 0),
    ),
    firstDay: [...days.keys()].sort()[0],
    everyRun: chosen?.surfaces
      ? null
      : ofWindows((name) =>
          scope.reduce(
            (sum, { day, engine, runs }) =>
              isIn(windows[name], day) && engines.includes(engine as EngineId) ? sum + runs : sum,
            0,
          ),
        ),
  };
}

interface Found {
  readonly sums: readonly PromptSums[];
  /** The answers of each day that has any. */
  readonly days: ReadonlyMap<string, number>;
}

export const boundsOf = ({ prior, before, after }: Windows) => ({
  priorStart: prior.start,
  priorEnd: prior.end,
  beforeStart: before.start,
  beforeEnd: before.end,
  afterStart: (after ?? NO_DAY).start,
  afterEnd: (after ?? NO_DAY).end,
});

async function fromRollup(
  { db, brand }: ReadContext,
  windows: Windows,
  scope: readonly EngineDay[],
): Promise<Found> {
  const days = new Map<string, number>();
  for (const { day, runs } of scope) days.set(day, (days.get(day) ?? 0) + runs);
  const sums =
    windows.after === null ? [] : await promptSums(db, { brandKey: brand.key, ...boundsOf(windows) });
  return { sums, days };
}

/** From the roll-up by engine and prompt, or from the runs of a region or a surface. */
async function fromCells(
  { context, params, requested: engines, chosen }: EffectRequest,
  windows: Windows,
  window: Window,
): Promise<Found> {
  const runs = chosen ?? EVERY_RUN;
  const request = { brandKey: context.brand.key, cut: 'prompt', engines, runs, window, entity: 0 } as const;
  if (!areListed(request)) await requireRunsSince(context, window.start, params);
  const sums = new Map<number, PromptSums>();
  const days = new Map<string, number>();
  for (const { day, cell, totals, entity } of await cellDays(context.db, request)) {
    days.set(day, (days.get(day) ?? 0) + totals.runs);
    const key = Number(cell);
    const row = sums.get(key) ?? { key, runs: [0, 0, 0], present: [0, 0, 0], weights: [0, 0, 0] };
    sums.set(key, row);
    const at = windowNames.findIndex((name) => isIn(windows[name], day));
    if (at === -1) continue;
    row.runs[at]! += totals.runs;
    row.present[at]! += entity.present;
    row.weights[at]! += entity.weightSum;
  }
  return { sums: [...sums.values()], days };
}
