/** What the moves of a brand are found in: its sums by day, engine and entity, from roll-ups only. */
import type { Knex } from 'knex';
import { blendedEngineIds, type EngineId, engineIds } from '../../../contract/engines.js';
import type { EntitySums, WindowSums } from '../../../contract/measures.js';
import { LEAST_SAME_PROMPTS } from '../../../contract/moves.js';
import { isOtherPanel, type PanelOverlap, type SurfaceRuns } from '../../answers/metrics/change.js';
import type { Cell } from '../../answers/metrics/contributions.js';
import { addEntitySums, type Sample, sampleOf } from '../../answers/metrics/samples.js';
import {
  type EngineDay,
  type EngineDayEntity,
  engineDayEntities,
  engineDays,
} from '../../answers/sums/collected-days.js';
import { statedSurfaces } from '../../answers/sums/collection.js';
import { blendedPromptOverlap, promptOverlap } from '../../answers/sums/entity-sums.js';
import { gapOf, type NameGap, nameGaps } from '../../answers/sums/name-gaps.js';
import { type TrackedEntity, trackedEntities } from '../../answers/sums/tracked-entities.js';
import { everyDayOf, type Window } from '../../base/days.js';
import { type BrandWindow, statement } from '../../base/statement.js';

/** One engine, or the engines with web search together, which is null. */
export type Scope = EngineId | null;

export const enginesOf = (scope: Scope): readonly EngineId[] => (scope === null ? blendedEngineIds : [scope]);

type DayTotals = WindowSums & { readonly day: string };

/** The sums of a scope. */
interface ScopeSums {
  readonly totals: ReadonlyMap<string, DayTotals>;
  /** By entity, then by day; the brand is entity 0. */
  readonly entities: ReadonlyMap<number, ReadonlyMap<string, EntitySums>>;
}

export interface History {
  readonly tracked: readonly TrackedEntity[];
  /** Entities that are not measured on all days; if omitted, none. */
  readonly gaps?: readonly NameGap[];
  /** Scopes with answers; the engines that are blended are scopes of their own too. */
  readonly scopes: ReadonlyMap<Scope, ScopeSums>;
  /** The prompts that two windows have in common. */
  readonly overlap: OfWindows<PanelOverlap>;
  /** The runs of two windows by the surface that they state. */
  readonly surfaces: OfWindows<readonly SurfaceRuns[]>;
}

/** The sums of each scope. @param days, entities In any order. */
export function scopesOf(
  days: readonly EngineDay[],
  entities: readonly EngineDayEntity[],
): Map<Scope, ScopeSums> {
  const blended = new Set<string>(blendedEngineIds);
  const scopes = new Map<
    Scope,
    { totals: Map<string, DayTotals>; entities: Map<number, Map<string, EntitySums>> }
  >();
  const into = (engine: string): Scope[] => [
    ...(blended.has(engine) ? [null] : []),
    ...(engineIds.includes(engine as EngineId) ? [engine as EngineId] : []),
  ];
  for (const { day, engine, runs, citations } of days)
    for (const scope of into(engine)) {
      const sums = scopes.get(scope) ?? { totals: new Map(), entities: new Map() };
      scopes.set(scope, sums);
      const former = sums.totals.get(day);
      sums.totals.set(day, {
        day,
        runs: (former?.runs ?? 0) + runs,
        citations: (former?.citations ?? 0) + citations,
        presences: former?.presences ?? 0,
      });
    }
  for (const { day, engine, entity, ...sums } of entities)
    for (const scope of into(engine)) {
      const found = scopes.get(scope);
      const totals = found?.totals.get(day);
      if (!found || !totals) continue;
      found.totals.set(day, { ...totals, presences: totals.presences + sums.present });
      const byDay = found.entities.get(entity) ?? new Map<string, EntitySums>();
      found.entities.set(entity, byDay);
      const former = byDay.get(day);
      byDay.set(day, former ? addEntitySums(former, sums) : sums);
    }
  return scopes;
}

const NO_DAYS: ReadonlyMap<string, EntitySums> = new Map();

/** One entity of a scope in a window. @param days The days of the window. */
export function sampleIn(
  { totals, entities }: ScopeSums,
  window: Window,
  days: readonly string[],
  { entity, domain }: Pick<TrackedEntity, 'entity' | 'domain'>,
  gaps: readonly NameGap[] = [],
): Sample {
  const measured = days.flatMap((day) => totals.get(day) ?? []);
  return sampleOf(window, measured, entities.get(entity) ?? NO_DAYS, domain !== '', gapOf(gaps, entity));
}

/** The blended engines that answered at all, each with an entity in two windows. */
export function engineCells(
  { scopes, gaps }: Pick<History, 'scopes' | 'gaps'>,
  entity: Pick<TrackedEntity, 'entity' | 'domain'>,
  window: Window,
  prior: Window,
): { readonly engine: Scope; readonly cell: Cell }[] {
  const [now, before] = [everyDayOf(window), everyDayOf(prior)];
  return enginesOf(null).flatMap((engine) => {
    const sums = scopes.get(engine);
    if (!sums) return [];
    const cell = {
      before: sampleIn(sums, prior, before, entity, gaps),
      after: sampleIn(sums, window, now, entity, gaps),
    };
    return [{ engine, cell }];
  });
}

interface PanelDay {
  readonly day: string;
  readonly engine: string;
  readonly runs: number;
  readonly hash: string;
}

const panelDays = statement<PanelDay, BrandWindow>(
  'panel_days',
  `select day, engine, run_count as runs, panel_hash as hash from day_panel
   where brand_key = :brandKey and day between :start and :end`,
);

/**
 * The roll-ups of some days, by few statements. Only where the prompts of two windows differ does a fourth count their
 * runs, for each pair of windows with a metric that may have moved.
 */
export async function historyOf(db: Knex, brandKey: number, window: Window): Promise<History> {
  const days = everyDayOf(window);
  const bindings = { brandKey, days };
  const totals = await engineDays(db, bindings);
  const entities = await engineDayEntities(db, bindings);
  const panels = await panelDays(db, { brandKey, ...window });
  return {
    tracked: await trackedEntities(db, { brandKey }),
    gaps: await nameGaps(db, { brandKey, start: window.start }),
    scopes: scopesOf(totals, entities),
    overlap: overlaps(db, brandKey, panels),
    surfaces: oncePerWindow((scope, window, prior) =>
      statedSurfaces(db, { brandKey, engines: enginesOf(scope), ...window, priorStart: prior.start }),
    ),
  };
}

type OfWindows<T> = (scope: Scope, window: Window, prior: Window) => Promise<T>;

/** Remembers what was read of two windows, because each metric of a scope asks for it again. */
function oncePerWindow<T>(read: OfWindows<T>): OfWindows<T> {
  const known = new Map<string, Promise<T>>();
  return (scope, window, prior) => {
    const key = `${scope ?? ''} ${window.start} ${window.end}`;
    const found = known.get(key) ?? read(scope, window, prior);
    known.set(key, found);
    return found;
  };
}

/** Counts days with the same prompts without the database, and asks it where they differ. */
function overlaps(db: Knex, brandKey: number, panels: readonly PanelDay[]): History['overlap'] {
  const byDay = new Map<string, PanelDay[]>();
  for (const panel of panels) byDay.set(panel.day, [...(byDay.get(panel.day) ?? []), panel]);
  const counted = oncePerWindow((scope, window, prior) => countedOverlap(db, brandKey, scope, window, prior));
  return async (scope, window, prior) => {
    const engines = enginesOf(scope);
    const inWindow = (days: Window): PanelDay[] =>
      everyDayOf(days)
        .flatMap((day) => byDay.get(day) ?? [])
        .filter(({ engine }) => engines.includes(engine as EngineId));
    const equal = equalPanels(inWindow(window), inWindow(prior));
    return isOtherPanel(equal, LEAST_SAME_PROMPTS) ? counted(scope, window, prior) : equal;
  };
}

function equalPanels(current: readonly PanelDay[], previous: readonly PanelDay[]): PanelOverlap {
  const runsOf = (panels: readonly PanelDay[], shared?: ReadonlySet<string>) =>
    panels.reduce((sum, { runs, hash }) => sum + (!shared || shared.has(hash) ? runs : 0), 0);
  const [now, before] = [current, previous].map((panels) => new Set(panels.map(({ hash }) => hash)));
  return {
    currentRuns: runsOf(current),
    currentShared: runsOf(current, before),
    previousRuns: runsOf(previous),
    previousShared: runsOf(previous, now),
  };
}

async function countedOverlap(
  db: Knex,
  brandKey: number,
  scope: Scope,
  { start, end }: Window,
  prior: Window,
): Promise<PanelOverlap> {
  const bindings = { brandKey, start, end, priorStart: prior.start };
  const [counted] = await (scope === null
    ? blendedPromptOverlap(db, bindings)
    : promptOverlap(db, {
        ...bindings,
        engines: [scope],
        days: [...everyDayOf(prior), ...everyDayOf({ start, end })],
      }));
  return counted!;
}
