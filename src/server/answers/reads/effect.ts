import {
  EFFECT_DAYS,
  effectReason,
  LEAST_CONTROLS,
  LEAST_EFFECT_DAYS,
  PLANNED_DAYS,
} from '../../../contract/effects.js';
import { blendedEngineIds, type EngineId, enginesOfMask, inTableOrder } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import { measureValue, scaleOf } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import { type Effect, type EffectPage, effect } from '../../../contract/reads/effect.js';
import { isForPrompts, type Mark } from '../../../contract/reads/marks.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { addDays, everyDayOf, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { isStorable } from '../../base/statement.js';
import { movedSurface } from '../metrics/change.js';
import {
  detectableEffect,
  effectInterval,
  estimateEffect,
  isBeyond,
  meanOf,
  type PromptPair,
  type PromptWindow,
  sideOf,
} from '../metrics/effect.js';
import { scoreInterval } from '../metrics/intervals.js';
import { NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { areListed, cellDays } from '../sums/cell-sums.js';
import { type EngineDay, engineDays, runsSince } from '../sums/collected-days.js';
import {
  activePrompts,
  chosenCitedPages,
  citedPages,
  type PanelPrompt,
  type PromptSums,
  promptSums,
  surfacesOfPrompts,
  surfacesOfWindows,
  type WindowName,
  windowNames,
  withoutPart,
} from '../sums/effect-sums.js';
import { markNamed, marksOf } from '../sums/marks.js';
import { type ChosenRuns, EVERY_RUN } from '../sums/run-choice.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { chosenRunsOf, promptsNamed, requireRunsSince, selectionOf } from './slice.js';

type Params = ParsedParamsOf<'effect'>;

// What is asked for.

const choices = ['prompt', 'topic', 'tag'] as const;
const listed = (names: readonly string[]): string => names.join(' and ');

/** @throws 400 for parameters that do not go together. */
function requireOneSubject(params: Params, yesterday: string): void {
  const { mark, since, until, plan } = params;
  const chosen = choices.filter((name) => params[name] !== undefined);
  const given = [
    ...(mark !== undefined ? ['mark'] : []),
    ...(since ? ['since'] : []),
    ...chosen,
    ...(plan ? ['plan'] : []),
  ];
  const refused = (problem: string | null, names = given) => refuse(errors.effectOfWhat(names, problem));
  const [first, ...others] = given;
  if (first === undefined) throw refused(null, ['mark', 'since']);
  if (mark !== undefined && others.length > 0)
    throw refused(`mark was given together with ${listed(others)}.`);
  if (plan && since) throw refused('plan was given together with since.');
  if (chosen.length > 1) throw refused(`${listed(chosen)} were given together.`);
  if (chosen.length === 1 && !since && !plan) throw refused(`${first} was given without since.`);
  if (mark === undefined && chosen.length === 0)
    throw refused(`${first} was given without prompt, topic and tag.`);
  for (const [name, day] of Object.entries({ since, until }))
    if (day !== undefined && day > yesterday) throw refuse(errors.sinceTooLate(name, day, yesterday));
}

interface Subject {
  readonly mark: Mark | null;
  /** Null: nothing was done yet. */
  readonly since: string | null;
  /** Whether a prompt, by its key, is one that something was or will be done for. */
  readonly isTreated: (key: number) => boolean;
  readonly isFlag: boolean;
}

const keysOf = async ({ db, brand }: ReadContext, { prompts, topics, tags }: Mark): Promise<Set<number>> => {
  const named = { prompts: prompts ?? [], topics: topics ?? [], tags: tags ?? [] };
  return new Set((await promptsNamed(db, { brandKey: brand.key, ...named })).map(({ key }) => key));
};

/** @throws 400, 404 */
async function subjectOf(context: ReadContext, params: Params): Promise<Subject> {
  const { db, brand } = context;
  const { mark: id, since = null, prompt, topic, tag } = params;
  if (id === undefined) {
    const chosen = await chosenRunsOf(context, { prompt, topic, tag });
    const keys = chosen && new Set(chosen.promptKeys);
    return { mark: null, since, isFlag: false, isTreated: (key) => keys === null || keys.has(key) };
  }
  const [mark] = isStorable(id) ? await markNamed(db, { brandKey: brand.key, id }) : [];
  if (!mark) throw refuse(errors.unknownMark(id));
  const keys = await keysOf(context, mark);
  return { mark, since: mark.day, isFlag: !isForPrompts(mark), isTreated: (key) => keys.has(key) };
}

// The panel: which prompts were asked in the windows, and what their answers show.

interface Windows {
  readonly prior: Window;
  readonly before: Window;
  /** Null: no day of it is complete. */
  readonly after: Window | null;
}

function windowsAround(day: string, days: number, last: string): Windows {
  const before = windowEnding(addDays(day, -1), days);
  const end = addDays(day, days);
  const after = { start: addDays(day, 1), end: end < last ? end : last };
  return { prior: windowBefore(before), before, after: after.end < after.start ? null : after };
}

/** Those that end on a day and just before, between which nothing was done. */
function windowsUntil(last: string, days: number): Windows {
  const after = windowEnding(last, days);
  const before = windowBefore(after);
  return { prior: windowBefore(before), before, after };
}

const isIn = (window: Window | null, day: string): boolean =>
  window !== null && day >= window.start && day <= window.end;

/** Two days between which no day is. */
const NO_DAY: Window = { start: '2999-12-31', end: '1970-01-01' };

interface Panelled extends PanelPrompt, PromptPair {
  readonly prior: PromptWindow | null;
}

interface Panel {
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
async function panelOf({ context, params, requested, chosen }: Request, windows: Windows): Promise<Panel> {
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
    ...{ windows, engines, isWhole },
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

const boundsOf = ({ prior, before, after }: Windows) => ({
  ...{ priorStart: prior.start, priorEnd: prior.end },
  ...{ beforeStart: before.start, beforeEnd: before.end },
  ...{ afterStart: (after ?? NO_DAY).start, afterEnd: (after ?? NO_DAY).end },
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
  { context, params, requested: engines, chosen }: Request,
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

// The effect.

interface Request {
  readonly context: ReadContext;
  readonly params: Params;
  readonly requested: readonly EngineId[];
  readonly chosen: ChosenRuns | null;
}

interface Groups {
  readonly treated: readonly Panelled[];
  readonly control: readonly Panelled[];
  readonly leftOut: number;
}

/** Prompts of other marks of these days are no controls. */
async function groupsOf(context: ReadContext, { mark, isTreated }: Subject, panel: Panel): Promise<Groups> {
  const { before, after } = panel.windows;
  const others = await marksOf(context.db, {
    brandKey: context.brand.key,
    start: before.start,
    end: (after ?? before).end,
  });
  const touched = new Set<number>();
  for (const other of others)
    if (other.id !== mark?.id && isForPrompts(other))
      for (const key of await keysOf(context, other)) touched.add(key);
  const treated = panel.prompts.filter(({ key }) => isTreated(key));
  const rest = panel.prompts.filter(({ key }) => !isTreated(key));
  const control = rest.filter(({ key }) => !touched.has(key));
  return { treated, control, leftOut: rest.length - control.length };
}

/** The surface whose share moved in the answers of either group; undefined: none. */
async function movedIn(
  { db, brand }: ReadContext,
  { windows, engines, isWhole, everyRun: runs }: Panel,
  treated: readonly Panelled[],
): Promise<string | undefined> {
  if (runs === null) return undefined;
  const bindings = { brandKey: brand.key, ...boundsOf(windows) };
  const all = await surfacesOfWindows(db, { ...bindings, engines });
  const moved = movedSurface(all, runs.after, runs.before)?.surface;
  if (moved !== undefined || !isWhole || all.length === 0) return moved;
  const part = await surfacesOfPrompts(db, { ...bindings, promptKeys: treated.map(({ key }) => key) });
  const [after, before] = (['after', 'before'] as const).map((at) =>
    treated.reduce((sum, row) => sum + row[at].runs, 0),
  );
  const rest = withoutPart(all, part);
  return (
    movedSurface(part, after!, before!) ?? movedSurface(rest, runs.after - after!, runs.before - before!)
  )?.surface;
}

const groupOf = (rows: readonly Panelled[]): Effect['treated'] => ({
  prompts: rows.length,
  runs_before: rows.reduce((sum, { before }) => sum + before.runs, 0),
  runs_after: rows.reduce((sum, { after }) => sum + after.runs, 0),
  before: rows.length === 0 ? null : meanOf(rows, 'before'),
  after: rows.length === 0 ? null : meanOf(rows, 'after'),
});

/** The same prompts one window earlier; null: too little is known of it. */
function priorOf({ treated, control }: Groups, days: Panel['days'], scale: number): Effect['prior'] {
  if (days.prior < LEAST_EFFECT_DAYS) return null;
  const earlier = (rows: readonly Panelled[]) =>
    rows.flatMap(({ prior, before }): PromptPair[] => (prior ? [{ before: prior, after: before }] : []));
  const found = estimateEffect(earlier(treated), earlier(control), scale);
  return found && { effect: found.effect, interval: effectInterval(found) };
}

type Judged = Pick<
  Effect,
  'predicted' | 'effect' | 'interval' | 'verdict' | 'reason_code' | 'reason' | 'prior' | 'detectable'
> & { predict: ((before: number) => number) | null };

const unknown = (why: Pick<Effect, 'reason_code' | 'reason'>): Judged => ({
  ...{ predicted: null, effect: null, interval: null, verdict: 'unknown', ...why },
  ...{ prior: null, detectable: null, predict: null },
});

const VERDICTS: Readonly<Record<number, Effect['verdict']>> = { 1: 'up', 0: 'no_clear_change', [-1]: 'down' };

async function judge(
  context: ReadContext,
  { isFlag }: Subject,
  panel: Panel,
  groups: Groups,
  scale: number,
): Promise<Judged> {
  const { treated, control } = groups;
  const { days } = panel;
  if (isFlag) return unknown(effectReason('no_treated_prompts'));
  if (Math.min(days.before, days.after) < LEAST_EFFECT_DAYS)
    return unknown(effectReason('too_few_days', days.before, days.after));
  if (control.length < LEAST_CONTROLS) return unknown(effectReason('too_few_controls', control.length));
  const found = estimateEffect(treated, control, scale);
  if (found === null) return unknown(effectReason('no_treated_prompts'));
  const moved = await movedIn(context, panel, treated);
  if (moved !== undefined) return unknown(effectReason('surfaces_moved', moved));
  const interval = effectInterval(found);
  const prior = priorOf(groups, days, scale);
  const movedBefore = prior !== null && sideOf(prior.interval) * found.effect > 0;
  const judged = movedBefore
    ? { verdict: 'unknown' as const, ...effectReason('moved_before') }
    : { verdict: VERDICTS[sideOf(interval)]!, reason_code: null, reason: null };
  return {
    predicted: found.predict(meanOf(treated, 'before')),
    ...{ effect: found.effect, interval, ...judged, prior, detectable: detectableEffect(found) },
    predict: found.predict,
  };
}

const promptsOf = (treated: readonly Panelled[], predict: Judged['predict']): Effect['prompts'] =>
  treated
    .map(({ id, text, before, after }) => {
      const predicted = predict === null ? null : predict(before.value);
      return {
        ...{ id, text, before: before.value, after: after.value, predicted },
        beyond: predicted === null ? null : after.value - predicted,
      };
    })
    .sort((a, b) => Math.abs(b.beyond ?? 0) - Math.abs(a.beyond ?? 0) || compareText(a.id, b.id));

// Pages of the mark.

async function pagesOf(
  { context, chosen }: Request,
  panel: Panel,
  urls: readonly string[],
): Promise<EffectPage[]> {
  const { db, brand } = context;
  const { windows, engines, isWhole, runs } = panel;
  const { after } = windows;
  if (urls.length === 0) return [];
  const brandKey = brand.key;
  const [stored] = isWhole ? [] : await runsSince(db, { brandKey });
  const isKnown = after !== null && (stored?.day == null || stored.day <= after.start);
  const rows = !isKnown
    ? []
    : isWhole
      ? await citedPages(db, { brandKey, urls, days: everyDayOf(after) })
      : await chosenCitedPages(db, { brandKey, urls, engines, ...after, ...(chosen ?? EVERY_RUN) });
  return urls.map((url) => {
    const row = rows.find((each) => each.url === url);
    const { answers, of } = isKnown
      ? { answers: row?.answers ?? 0, of: runs.after }
      : { answers: null, of: null };
    const share = answers === null || of === 0 ? null : answers / of!;
    return {
      ...{ url, answers, of, share },
      interval: share === null ? null : scoreInterval(share, of!),
      engines: row
        ? typeof row.engines === 'number'
          ? enginesOfMask(row.engines)
          : inTableOrder(row.engines)
        : [],
      first_day: row?.firstDay ?? null,
    };
  });
}

// The read.

/** What windows of so many days would show of these prompts. */
async function planned(
  request: Request,
  subject: Subject,
  last: string,
  scale: number,
): Promise<Effect['plan']> {
  const detectable = PLANNED_DAYS.map(async (days) => {
    const panel = await panelOf(request, windowsUntil(last, days));
    const { treated, control } = await groupsOf(request.context, subject, panel);
    const { before } = panel.windows;
    const exist = panel.firstDay !== undefined && panel.firstDay <= before.start;
    const found = exist ? estimateEffect(treated, control, scale) : null;
    return { days, value: found && detectableEffect(found) };
  });
  return { detectable: await Promise.all(detectable) };
}

export const reader: Reader<'effect'> = async (context, params) => {
  const yesterday = addDays(context.today, -1);
  requireOneSubject(params, yesterday);
  const subject = await subjectOf(context, params);
  const { mark, since } = subject;
  const { metric = effect.params.metric.default, days = EFFECT_DAYS.default, until = yesterday } = params;
  const { engine, region, surface } = params;
  const requested = inTableOrder(mark?.engines ?? engine ?? blendedEngineIds).filter(
    (id) => engine?.includes(id) !== false,
  );
  const chosen = await chosenRunsOf(context, { region, surface });
  const request = { context, params, requested, chosen };
  const { times: scale, unit } = scaleOf(metric);
  const windows = since === null ? windowsUntil(until, days) : windowsAround(since, days, until);
  const panel = await panelOf(request, windows);
  const groups = await groupsOf(context, subject, panel);
  const { predict, ...judged } =
    since === null
      ? unknown(effectReason('nothing_done'))
      : await judge(context, subject, panel, groups, scale);
  const { before, after } = windows;
  return {
    brand: brandRefOf(context.brand),
    ...{ metric, unit: unit as Effect['unit'], mark, since },
    windows: since === null ? { before: null, after: null } : { before, after },
    slice: selectionOf({ engine, region, surface }),
    treated: groupOf(groups.treated),
    control: groupOf(groups.control),
    left_out: groups.leftOut,
    ...judged,
    prompts: promptsOf(groups.treated, predict),
    pages: await pagesOf(request, panel, mark?.pages ?? []),
    plan: since === null ? await planned(request, subject, until, scale) : null,
    ...noted([
      fact('only_compared'),
      judged.effect !== null && isBeyond(groups.treated, groups.control) && fact('drawn_beyond'),
    ]),
  };
};
