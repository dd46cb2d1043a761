import { blendedEngineIds, enginesOfMask, inTableOrder } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import { EFFECT_DAYS, LEAST_CONTROLS, LEAST_EFFECT_DAYS, WINDOW_PRESETS } from '../../../contract/limits.js';
import { scaleOf } from '../../../contract/measures.js';
import { fact, noted, wordsOf } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { Fact } from '../../../contract/read.js';
import { type Effect, type EffectPage, type EffectReason, effect } from '../../../contract/reads/effect.js';
import { isForPrompts, type Mark } from '../../../contract/reads/marks.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { addDays, everyDayOf } from '../../base/days.js';
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
  sideOf,
} from '../metrics/effect.js';
import { scoreInterval } from '../metrics/intervals.js';
import { runsSince } from '../sums/collected-days.js';
import {
  chosenCitedPages,
  citedPages,
  surfacesOfPrompts,
  surfacesOfWindows,
  withoutPart,
} from '../sums/effect-sums.js';
import { markNamed, marksOf } from '../sums/marks.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import {
  boundsOf,
  type EffectRequest,
  type Panel,
  type Panelled,
  panelOf,
  windowsAround,
  windowsUntil,
} from './effect-panel.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { chosenRunsOf, promptsNamed, selectionOf } from './slice.js';

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

/** The prompts of any of these marks, by their keys. */
async function keysOf({ db, brand }: ReadContext, marks: readonly Mark[]): Promise<Set<number>> {
  const of = (name: 'prompts' | 'topics' | 'tags') => marks.flatMap((mark) => mark[name] ?? []);
  const named = { prompts: of('prompts'), topics: of('topics'), tags: of('tags') };
  return new Set((await promptsNamed(db, { brandKey: brand.key, ...named })).map(({ key }) => key));
}

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
  const keys = await keysOf(context, [mark]);
  return { mark, since: mark.day, isFlag: !isForPrompts(mark), isTreated: (key) => keys.has(key) };
}

// The effect.

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
  const touched = await keysOf(
    context,
    others.filter(({ id }) => id !== mark?.id),
  );
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

/** The change of the panel one window earlier, when nothing was done; null: too little is known of it. */
function priorOf({ treated, control }: Groups, days: Panel['days'], scale: number): Effect['prior'] {
  if (days.prior < LEAST_EFFECT_DAYS) return null;
  const earlier = (rows: readonly Panelled[]) =>
    rows.flatMap(({ prior, before }): PromptPair[] => (prior ? [{ before: prior, after: before }] : []));
  const found = estimateEffect(earlier(treated), earlier(control), scale);
  return found && { effect: found.effect, interval: effectInterval(found) };
}

type Why = Pick<Effect, 'reason_code' | 'reason' | 'reason_fact'>;

const reasonOf = (why: Fact & { code: EffectReason }): Why => ({
  reason_code: why.code,
  reason: wordsOf(why),
  reason_fact: why,
});

type Judged = Pick<
  Effect,
  'predicted' | 'effect' | 'interval' | 'verdict' | 'prior' | 'detectable' | keyof Why
> & { predict: ((before: number) => number) | null };

const unknown = (why: Fact & { code: EffectReason }): Judged => ({
  predicted: null,
  effect: null,
  interval: null,
  verdict: 'unknown',
  ...reasonOf(why),
  prior: null,
  detectable: null,
  predict: null,
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
  if (isFlag) return unknown(fact('no_treated_prompts'));
  if (Math.min(days.before, days.after) < LEAST_EFFECT_DAYS)
    return unknown(
      fact('too_few_days', {
        measured: days.after,
        measured_before: days.before,
        least: LEAST_EFFECT_DAYS,
      }),
    );
  if (control.length < LEAST_CONTROLS)
    return unknown(fact('too_few_controls', { total: control.length, least: LEAST_CONTROLS }));
  const found = estimateEffect(treated, control, scale);
  if (found === null) return unknown(fact('no_treated_prompts'));
  const moved = await movedIn(context, panel, treated);
  if (moved !== undefined) return unknown(fact('surfaces_moved', { surface: moved }));
  const interval = effectInterval(found);
  const prior = priorOf(groups, days, scale);
  const movedBefore = prior !== null && sideOf(prior.interval) * found.effect > 0;
  const judged = movedBefore
    ? { verdict: 'unknown' as const, ...reasonOf(fact('moved_before')) }
    : { verdict: VERDICTS[sideOf(interval)]!, reason_code: null, reason: null, reason_fact: null };
  return {
    predicted: found.predict(meanOf(treated, 'before')),
    effect: found.effect,
    interval,
    ...judged,
    prior,
    detectable: detectableEffect(found),
    predict: found.predict,
  };
}

const promptsOf = (treated: readonly Panelled[], predict: Judged['predict']): Effect['prompts'] =>
  treated
    .map(({ id, text, before, after }) => {
      const predicted = predict === null ? null : predict(before.value);
      return {
        id,
        text,
        before: before.value,
        after: after.value,
        predicted,
        beyond: predicted === null ? null : after.value - predicted,
      };
    })
    .sort((a, b) => Math.abs(b.beyond ?? 0) - Math.abs(a.beyond ?? 0) || compareText(a.id, b.id));

// Pages of the mark.

async function pagesOf(
  { context, chosen }: EffectRequest,
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
      url,
      answers,
      of,
      share,
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
  request: EffectRequest,
  subject: Subject,
  last: string,
  scale: number,
): Promise<Effect['plan']> {
  const detectable = WINDOW_PRESETS.map(async (days) => {
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
    since === null ? unknown(fact('nothing_done')) : await judge(context, subject, panel, groups, scale);
  const { before, after } = windows;
  return {
    brand: brandRefOf(context.brand),
    metric,
    unit: unit as Effect['unit'],
    mark,
    since,
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
