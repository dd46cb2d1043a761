/** Reads the sums of two windows by day, once for all metrics and entities. */
import { blendedEngineIds } from '../../../contract/engines.js';
import { everyDayOf, type Window, windowBefore } from '../../days.js';
import type { EntitySums, WindowSums } from '../../metrics/entity-metrics.js';
import { type Comparison, isOtherPanel, type PanelOverlap } from '../../metrics/intervals/change.js';
import { type Sample, sampleOf } from '../../metrics/intervals/sample.js';
import { chosenEntitySums, chosenPromptOverlap, chosenWindowSums } from '../../queries/chosen-sums.js';
import { blendedPromptOverlap, equalDaysOverlap, promptOverlap } from '../../queries/panel-overlap.js';
import type { ChosenRuns } from '../../queries/run-choice.js';
import {
  brandSumsByDay,
  type EntityDay,
  entitySumsByDay,
  windowSumsByDay,
} from '../../queries/sums-by-day.js';
import type { TrackedEntity } from '../../queries/tracked-entities.js';
import type { ReadContext } from '../reader.js';
import type { Slice } from '../slice.js';

type Source = Pick<ReadContext, 'db' | 'brand'>;

export interface DaySums {
  /** The totals of each day with runs. */
  readonly days: readonly (WindowSums & { readonly day: string })[];
  /** The sums of each entity that was seen, by day. */
  readonly entities: ReadonlyMap<number, ReadonlyMap<string, EntitySums>>;
}

/** The runs on some engines. */
export interface Scope {
  readonly engines: readonly string[];
  /** Which of them; null: all. */
  readonly runs: ChosenRuns | null;
}

/** The sums of a window by day, of the brand alone or of every entity: from the roll-ups, unless runs are chosen. */
export async function daySumsOf(
  source: Source,
  of: 'brand' | 'every entity',
  scope: Scope,
  window: Window,
): Promise<DaySums> {
  const [days, rows] = await Promise.all(dayRowsOf(source, of, scope, window));
  const presences = new Map<string, number>();
  const entities = new Map<number, Map<string, EntitySums>>();
  for (const row of rows as readonly (EntityDay & { presences?: number })[]) {
    presences.set(row.day, (presences.get(row.day) ?? 0) + (row.presences ?? row.present));
    const byDay = entities.get(row.entity) ?? new Map<string, EntitySums>();
    entities.set(row.entity, byDay.set(row.day, row));
  }
  return { days: days.map((row) => ({ ...row, presences: presences.get(row.day) ?? 0 })), entities };
}

function dayRowsOf({ db, brand }: Source, of: 'brand' | 'every entity', scope: Scope, window: Window) {
  const { engines, runs } = scope;
  const bindings = { brandKey: brand.key, engines, ...window };
  if (runs !== null) {
    const chosen = { ...bindings, ...runs };
    return [chosenWindowSums(db, chosen), chosenEntitySums(db, chosen)] as const;
  }
  const entities = of === 'brand' ? brandSumsByDay(db, bindings) : entitySumsByDay(db, bindings);
  return [windowSumsByDay(db, bindings), entities] as const;
}

/** How much of a window and of the one before is about the same prompts. The shared runs may be more if half are enough. */
export async function overlapWith(
  { db, brand }: Source,
  { engines, runs }: Scope,
  window: Window,
): Promise<PanelOverlap> {
  const prior = windowBefore(window);
  const bindings = { brandKey: brand.key, engines, ...window, priorStart: prior.start };
  if (runs !== null) return (await chosenPromptOverlap(db, { ...bindings, ...runs }))[0]!;
  const [days] = await equalDaysOverlap(db, bindings);
  if (!isOtherPanel(days!)) return days!;
  const [prompts] = await (engines === blendedEngineIds
    ? blendedPromptOverlap(db, bindings)
    : promptOverlap(db, { ...bindings, days: [...everyDayOf(prior), ...everyDayOf(window)] }));
  return prompts!;
}

const NO_DAYS: ReadonlyMap<string, EntitySums> = new Map();

/** One entity in one window. */
export const sampleIn = (
  window: Window,
  { days, entities }: DaySums,
  { entity, domain }: Pick<TrackedEntity, 'entity' | 'domain'>,
): Sample => sampleOf(window, days, entities.get(entity) ?? NO_DAYS, domain !== '');

/** Compares the window of a slice with the one before, for any entity. */
export async function comparisons(
  source: Source,
  of: 'brand' | 'every entity',
  slice: Slice,
): Promise<(entity: Pick<TrackedEntity, 'entity' | 'domain'>) => Comparison> {
  const { window, prior } = slice;
  const [sums, panel] = await Promise.all([
    daySumsOf(source, of, slice, { start: prior.start, end: window.end }),
    overlapWith(source, slice, window),
  ]);
  return (entity) => ({
    current: sampleIn(window, sums, entity),
    previous: sampleIn(prior, sums, entity),
    panel,
  });
}
