/** Reads the sums of two windows by day, once for all metrics and entities. */
import type { EntitySums, WindowSums } from '../../../contract/measures.js';
import { everyDayOf, type Window } from '../../base/days.js';
import { type Comparison, isOtherPanel, type PanelOverlap, type SurfaceRuns } from '../metrics/change.js';
import { type Sample, sampleOf } from '../metrics/samples.js';
import { statedSurfaces } from '../sums/collection.js';
import {
  blendedPromptOverlap,
  brandSumsByDay,
  type DayTotals,
  type EntityDay,
  entitySumsByDay,
  equalDaysOverlap,
  promptOverlap,
  windowSumsByDay,
} from '../sums/entity-sums.js';
import { crossedGap, gapOf, gapsBehind, type NameGap } from '../sums/name-gaps.js';
import { type MeasuredEntities, sliceSums } from '../sums/slice-sums.js';
import type { TrackedEntity } from '../sums/tracked-entities.js';
import { unsearchedReason } from './name-notes.js';
import type { BrandSource } from './reader.js';
import type { Slice, SumsSource } from './slice.js';

export interface DaySums {
  /** The totals of each day with runs. */
  readonly days: readonly (WindowSums & { readonly day: string })[];
  /** The sums of each entity that was seen, by day. */
  readonly entities: ReadonlyMap<number, ReadonlyMap<string, EntitySums>>;
  /** The entities that are not measured on all of these days. */
  readonly gaps: readonly NameGap[];
}

/** The sums of a window and of the one before, and what both have in common. */
interface Measured {
  readonly sums: DaySums;
  /** How much of both is about the same prompts; null: nothing is compared. */
  readonly panel: PanelOverlap | null;
  /** The surfaces that the runs of both state. */
  readonly surfaces: readonly SurfaceRuns[];
}

/**
 * Measures a window, of the brand only or of every entity.
 * @param of Of a measure, only its sums may be read.
 * @param from What has the sums of both windows.
 * @param prior The window to compare with; null: none.
 */
export async function measuredIn(
  source: BrandSource,
  of: MeasuredEntities,
  { engines, runs, rolledUp }: Pick<Slice, 'engines' | 'runs' | 'rolledUp'>,
  from: SumsSource,
  { window, prior }: { readonly window: Window; readonly prior: Window | null },
): Promise<Measured> {
  const { db, brand } = source;
  const bindings = { brandKey: brand.key, engines, ...window };
  const priorStart = (prior ?? window).start;
  const found = gapsBehind(db, brand, priorStart);
  if (runs !== null && from !== 'every run') {
    const [[sums], gaps] = await Promise.all([
      sliceSums[from][of](db, {
        ...bindings,
        ...runs,
        priorStart,
        days: everyDayOf({ start: priorStart, end: window.end }),
      }),
      found,
    ]);
    const { days, entities, panel, surfaces } = sums!;
    return { sums: daySums(days, entities, gaps), panel: prior && panel[0]!, surfaces };
  }
  const both = { ...bindings, start: priorStart };
  const [days, entities, surfaces, panel, gaps] = await Promise.all([
    windowSumsByDay(db, both),
    of === 'brand' ? brandSumsByDay(db, both) : entitySumsByDay(db, both),
    statedSurfaces(db, { ...bindings, priorStart }),
    prior && overlapOf(source, { engines, rolledUp }, window, prior),
    found,
  ]);
  return { sums: daySums(days, entities, gaps), panel, surfaces };
}

function daySums(
  days: readonly DayTotals[],
  rows: readonly (EntityDay & { readonly presences?: number })[],
  gaps: readonly NameGap[],
): DaySums {
  const presences = new Map<string, number>();
  const entities = new Map<number, Map<string, EntitySums>>();
  for (const row of rows) {
    presences.set(row.day, (presences.get(row.day) ?? 0) + (row.presences ?? row.present));
    const byDay = entities.get(row.entity) ?? new Map<string, EntitySums>();
    entities.set(row.entity, byDay.set(row.day, row));
  }
  return { days: days.map((row) => ({ ...row, presences: presences.get(row.day) ?? 0 })), entities, gaps };
}

/** Counts runs of prompts that both windows asked. The shared runs may be more if half are enough. */
async function overlapOf(
  { db, brand }: BrandSource,
  { engines, rolledUp }: Pick<Slice, 'engines' | 'rolledUp'>,
  window: Window,
  prior: Window,
): Promise<PanelOverlap> {
  const bindings = { brandKey: brand.key, engines, ...window, priorStart: prior.start };
  const [days] = await equalDaysOverlap(db, bindings);
  if (!isOtherPanel(days!)) return days!;
  const [prompts] = await (rolledUp
    ? blendedPromptOverlap(db, bindings)
    : promptOverlap(db, { ...bindings, days: [...everyDayOf(prior), ...everyDayOf(window)] }));
  return prompts!;
}

const NO_DAYS: ReadonlyMap<string, EntitySums> = new Map();

/** One entity in one window. */
export const sampleIn = (
  window: Window,
  { days, entities, gaps }: DaySums,
  { entity, domain }: Pick<TrackedEntity, 'entity' | 'domain'>,
): Sample => sampleOf(window, days, entities.get(entity) ?? NO_DAYS, domain !== '', gapOf(gaps, entity));

/** What a comparison says of gaps: of all runs, and of why a metric is not comparable. */
export function gapsIn(
  { days, gaps }: DaySums,
  entity: number,
  brandName: string,
  windows: { readonly window: Window; readonly prior: Window },
): Pick<Comparison, 'runs' | 'unsearched'> {
  if (gaps.length === 0) return {};
  const runsIn = ({ start, end }: Window) =>
    days.reduce((sum, { day, runs }) => (day >= start && day <= end ? sum + runs : sum), 0);
  return {
    runs: { current: runsIn(windows.window), previous: runsIn(windows.prior) },
    unsearched: (metric) => unsearchedReason(crossedGap(metric, entity, gaps, windows), brandName),
  };
}

/** Compares the window of a slice with the one before, for any entity; with the days of both that have runs. */
export async function comparisons(source: BrandSource, of: MeasuredEntities, slice: Slice, from: SumsSource) {
  const { window, prior } = slice;
  const { sums, panel, surfaces } = await measuredIn(source, of, slice, from, slice);
  const compare = (entity: Pick<TrackedEntity, 'entity' | 'domain'>): Comparison => ({
    current: sampleIn(window, sums, entity),
    previous: sampleIn(prior, sums, entity),
    panel: panel!,
    surfaces,
    ...gapsIn(sums, entity.entity, source.brand.name, slice),
  });
  const days = sums.days.map(({ day }) => day);
  return { compare, surfaces, totals: sums.days, days, gaps: sums.gaps };
}
