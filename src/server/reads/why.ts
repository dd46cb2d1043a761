import type { EngineId } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import { engineLabel, valueLabel } from '../../contract/glossary.js';
import { WHY_LIMIT } from '../../contract/limits.js';
import { isMeasurable, type MeasureName, measureValue, type Sums, scaleOf } from '../../contract/measures.js';
import { notes, sentence } from '../../contract/notes.js';
import { compareText } from '../../contract/order.js';
import {
  type Cut,
  cuts,
  cutsOf,
  type Driver,
  fitsMetric,
  type RunCut,
  type Why,
  why,
} from '../../contract/reads/why.js';
import { brandState, dataVersion, hasDataVersion } from '../accounts/brands.js';
import { addDays, daysBetween, daysIn, type Window } from '../days.js';
import { refuse } from '../errors.js';
import { type Comparison, isOtherPanel, judge } from '../metrics/change.js';
import {
  type Contribution,
  type CountedWindow,
  contributionsOf,
  countedContributions,
  sharesOf,
} from '../metrics/contributions.js';
import { added, DAYS_OF, NO_RUNS, NO_SUMS, type Sample, unitOf } from '../metrics/samples.js';
import { statement } from '../statement.js';
import { type CellColumn, cellSums } from '../sums/cell-sums.js';
import {
  type CitedUnit,
  chosenCitedDomains,
  chosenOwnPages,
  citedDomains,
  citedOwnPages,
} from '../sums/citation-sums.js';
import { type EvidenceOf, evidenceOf, type Wanted } from '../sums/evidence.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import { trackedEntities } from '../sums/tracked-entities.js';
import { circumstancesOf, seesCrawlers } from './circumstances.js';
import { comparisons } from './comparison.js';
import { brandRefOf, type ReadContext, type Reader, withCaching } from './reader.js';
import {
  daysFields,
  requireRunsSince,
  type Slice,
  type SliceParams,
  sliceOf,
  sumsSourceOf,
} from './slice.js';

/** A cell with its part of the change, before answers to it are looked up. */
interface Found {
  readonly id: string | null;
  readonly name: string;
  readonly contribution: Contribution;
  /** The keys by which its runs are found. */
  readonly keys: readonly (number | string)[];
  /** Days that hold three of its runs in each window, or all; null: it has none. */
  readonly days: Pair<Window | null>;
}

interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

interface Explained {
  readonly parts: Why['parts'];
  readonly found: readonly Found[];
  readonly evidence: EvidenceOf;
}

interface Question {
  readonly context: ReadContext;
  readonly slice: Slice;
  readonly params: SliceParams;
  readonly metric: MeasureName;
  readonly comparison: Comparison;
  /** The runs and citations of each day of both windows. */
  readonly totals: readonly { readonly day: string; readonly runs: number; readonly citations: number }[];
  readonly compare: (entity: { readonly entity: number; readonly domain: string }) => Comparison;
  /** Whether the windows ask the same prompts. */
  readonly isJudged: boolean;
}

const NO_PARTS = { rate: null, mix: null, panel: null, own: null, others: null } as const;

// Units of a window as days.

const daysOfUnit = (window: Window, unit: number): Window => {
  const length = DAYS_OF[unitOf(window)];
  const start = addDays(window.end, 1 - (unit + 1) * length);
  return { start: start < window.start ? window.start : start, end: addDays(window.end, -unit * length) };
};

/** Answers that are listed as evidence. */
const EVIDENCE = 3;

/**
 * The newest units that hold as many runs as are listed, as days.
 * @param counts The runs of each unit, by unit.
 */
function newestDays(window: Window, counts: ReadonlyMap<number, number>, enough = EVIDENCE): Window | null {
  const units = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  let runs = 0;
  const needed = units.filter(([, count]) => {
    const isNeeded = runs < enough;
    runs += count;
    return isNeeded;
  });
  if (needed.length === 0) return null;
  return {
    start: daysOfUnit(window, needed.at(-1)![0]).start,
    end: daysOfUnit(window, needed[0]![0]).end,
  };
}

// Cuts of the runs.

interface Folder {
  topicId: string | null;
  topicName: string | null;
  tags: string[];
}

/** By their keys. */
const promptTexts = statement<
  { key: number; id: string; text: string },
  { brandKey: number; keys: readonly number[] }
>(
  'prompt_texts',
  `select prompt_key as key, id, text from prompts
   where brand_key = :brandKey and prompt_key = any(cast(:keys as integer[]))`,
);

/** The same, and where they are. */
const promptFolders = statement<Folder & { key: number }, { brandKey: number; keys: readonly number[] }>(
  'prompt_folders',
  `select p.prompt_key as key, p.topic_id as "topicId", t.name as "topicName", p.tags
   from prompts p left join topics t on t.brand_key = :brandKey and t.id = p.topic_id
   where p.brand_key = :brandKey and p.prompt_key = any(cast(:keys as integer[]))`,
);

interface Named {
  readonly id: string | null;
  readonly name: string;
}

const columnOf = {
  prompt: 'prompt',
  topic: 'prompt',
  tag: 'prompt',
  engine: 'engine',
  region: 'region',
  surface: 'surface',
} as const satisfies Record<RunCut, CellColumn>;

/** The cells to which the runs of a prompt belong. */
const cellsOfPrompt = {
  topic: ({ topicId, topicName }) => [
    topicId === null ? { id: null, name: 'no topic' } : { id: topicId, name: topicName ?? topicId },
  ],
  tag: ({ tags }) =>
    tags.length === 0
      ? [{ id: null, name: 'no tag' }]
      : [...new Set(tags)].map((tag) => ({ id: tag, name: tag })),
} as const satisfies Partial<Record<RunCut, (prompt: Folder) => Named[]>>;

const cellOfText = {
  engine: (id) => ({ id, name: engineLabel(id) }),
  region: (id) => ({ id, name: id }),
  surface: (id) =>
    id === '' ? { id: null, name: 'surface not stated' } : { id, name: valueLabel('surface', id) },
} as const satisfies Partial<Record<RunCut, (key: string) => Named>>;

async function cellNames(
  { db, brand }: ReadContext,
  by: RunCut,
  keys: readonly (number | string)[],
): Promise<(key: number | string) => Named[]> {
  if (by === 'engine' || by === 'region' || by === 'surface') return (key) => [cellOfText[by](key as string)];
  const bindings = { brandKey: brand.key, keys: keys as number[] };
  if (by === 'prompt') {
    const found = await promptTexts(db, bindings);
    const named = new Map(found.map(({ key, id, text }) => [key, [{ id, name: text }]]));
    return (key) => named.get(key as number)!;
  }
  const folders = await promptFolders(db, bindings);
  const folderOf = new Map(folders.map((row) => [row.key, row]));
  return (key) => cellsOfPrompt[by](folderOf.get(key as number)!);
}

interface Gathered extends Named {
  readonly keys: Set<number | string>;
  readonly before: Map<number, Sums>;
  readonly after: Map<number, Sums>;
}

const NONE: Sums = { totals: NO_RUNS, entity: NO_SUMS };

function sampleOfUnits(units: ReadonlyMap<number, Sums>, { unit, hasDomain }: Sample): Sample {
  const each = [...units.values()];
  return { ...each.reduce(added, NONE), unit, hasDomain, units: each };
}

async function byRuns(question: Question, by: RunCut): Promise<Explained | null> {
  const { context, slice, params, metric, comparison, isJudged } = question;
  const { db, brand } = context;
  const { current, previous } = comparison;
  const column = columnOf[by];
  const rows = await cellSums(db, { ...slice, brandKey: brand.key, column, metric }, () =>
    requireRunsSince(context, slice.prior.start, params, ['by']),
  );
  const namesOf = await cellNames(context, by, [...new Set(rows.map(({ cell }) => cell))]);
  const cells = new Map<string | null, Gathered>();
  for (const row of rows) {
    for (const { id, name } of namesOf(row.cell)) {
      const cell = cells.get(id) ?? { id, name, keys: new Set(), before: new Map(), after: new Map() };
      cells.set(id, cell);
      cell.keys.add(row.cell);
      const units = row.isCurrent ? cell.after : cell.before;
      units.set(row.unit, added(units.get(row.unit), row));
    }
  }
  const gathered = [...cells.values()];
  const contributions = contributionsOf(
    metric,
    { before: previous, after: current },
    gathered.map((cell) => ({
      before: sampleOfUnits(cell.before, previous),
      after: sampleOfUnits(cell.after, current),
    })),
    isJudged || by === 'prompt',
  );
  if (contributions === null) return null;
  const runsOf = (units: ReadonlyMap<number, Sums>) =>
    new Map([...units].map(([unit, { totals }]) => [unit, totals.runs]));
  const found = gathered.flatMap((cell, at): Found[] => {
    const contribution = contributions[at]!;
    if (contribution === null) return [];
    const { id, name, keys, before, after } = cell;
    const days = {
      before: newestDays(slice.prior, runsOf(before)),
      after: newestDays(slice.window, runsOf(after)),
    };
    return [{ id, name, contribution, keys: [...keys], days }];
  });
  const sum = (of: 'rate' | 'mix' | 'panel') =>
    found.reduce((total, { contribution }) => total + contribution[of]!, 0);
  const parts = { ...NO_PARTS, rate: sum('rate'), mix: sum('mix'), panel: sum('panel') };
  return { parts: by === 'tag' ? null : parts, found, evidence: column };
}

// Cuts of what is counted in the runs.

type Counts = ReadonlyMap<number, number>;

interface CountedCell extends Named {
  readonly key: number;
  readonly isOwn: boolean;
  readonly before: Counts;
  readonly after: Counts;
}

/** The runs of each unit of a window. */
function runsByUnit(window: Window, totals: Question['totals']): Map<number, number> {
  const units = new Map<number, number>();
  for (const { day, runs } of totals) {
    if (day < window.start || day > window.end) continue;
    const unit = Math.floor(daysBetween(day, window.end) / DAYS_OF[unitOf(window)]);
    units.set(unit, (units.get(unit) ?? 0) + runs);
  }
  return units;
}

function byCounts(
  { slice, totals, isJudged }: Question,
  cells: readonly CountedCell[],
  all: Pair<number>,
  few: 'of runs' | 'of citations',
): Explained | null {
  const windows = { before: slice.prior, after: slice.window };
  const runs = {
    before: runsByUnit(slice.prior, totals),
    after: runsByUnit(slice.window, totals),
  };
  const countOf = (counts: Counts): number => [...counts.values()].reduce((sum, each) => sum + each, 0);
  const whole = (when: keyof Pair<unknown>): CountedWindow => ({
    runs: [...runs[when].values()],
    own: cells.filter(({ isOwn }) => isOwn).reduce((sum, cell) => sum + countOf(cell[when]), 0),
    all: all[when],
  });
  const [before, after] = [whole('before'), whole('after')];
  const shares = sharesOf(before, after);
  if (shares === null) return null;
  const inUnits = (cell: CountedCell, when: keyof Pair<unknown>): number[] =>
    [...runs[when].keys()].map((unit) => cell[when].get(unit) ?? 0);
  const contributions = countedContributions(
    shares,
    before,
    after,
    cells.map((cell) => ({
      before: inUnits(cell, 'before'),
      after: inUnits(cell, 'after'),
      isOwn: cell.isOwn,
    })),
    few,
    isJudged,
  );
  // An answer may have several citations, so their number does not say how many days hold enough answers.
  const enough = few === 'of runs' ? EVIDENCE : Number.POSITIVE_INFINITY;
  const daysOf = (cell: CountedCell, when: keyof Pair<unknown>) =>
    newestDays(windows[when], cell[when], enough);
  return {
    parts: { ...NO_PARTS, own: shares.own, others: shares.others },
    found: cells.map((cell, at) => ({
      id: cell.id,
      name: cell.name,
      contribution: contributions[at]!,
      keys: [cell.key],
      days: { before: daysOf(cell, 'before'), after: daysOf(cell, 'after') },
    })),
    evidence: 'name',
  };
}

/** The mentions of each unit of a sample, by unit. */
const mentionsByUnit = (sample: Sample, runs: ReadonlyMap<number, number>): Counts =>
  new Map([...runs.keys()].map((unit, at) => [unit, sample.units[at]!.entity.present]));

async function byRival(question: Question): Promise<Explained | null> {
  const { context, slice, compare, totals, comparison } = question;
  const tracked = await trackedEntities(context.db, { brandKey: context.brand.key });
  const [before, after] = [runsByUnit(slice.prior, totals), runsByUnit(slice.window, totals)];
  const cells = tracked.map(({ entity, id, name, domain }): CountedCell => {
    const { current, previous } = compare({ entity, domain });
    return {
      ...{ id, name, key: entity, isOwn: entity === 0 },
      before: mentionsByUnit(previous, before),
      after: mentionsByUnit(current, after),
    };
  });
  const { current, previous } = comparison;
  return byCounts(
    question,
    cells,
    { before: previous.totals.presences, after: current.totals.presences },
    'of runs',
  );
}

/** The key of evidence for all pages of the brand. */
const ALL_OWN = -1;

async function byCitations(question: Question, by: 'domain' | 'page'): Promise<Explained | null> {
  const { context, slice, params, comparison } = question;
  const { db, brand } = context;
  const { window, prior, engines, runs, rolledUp } = slice;
  if (!rolledUp) await requireRunsSince(context, prior.start, params, ['by']);
  const bindings = {
    brandKey: brand.key,
    ...window,
    priorStart: prior.start,
    unitDays: DAYS_OF[unitOf(window)],
  };
  const chosen = { ...bindings, engines, ...EVERY_RUN, ...runs };
  const rows = await (by === 'domain'
    ? rolledUp
      ? citedDomains(db, bindings)
      : chosenCitedDomains(db, chosen)
    : rolledUp
      ? citedOwnPages(db, bindings)
      : chosenOwnPages(db, chosen));
  const { current, previous } = comparison;
  const explained = byCounts(
    question,
    citedCells(rows, by, brand),
    { before: previous.totals.citations, after: current.totals.citations },
    'of citations',
  );
  return explained && { ...explained, evidence: by };
}

function citedCells(
  rows: readonly CitedUnit[],
  by: 'domain' | 'page',
  brand: ReadContext['brand'],
): CountedCell[] {
  const cells = new Map<number, CountedCell & Pair<Map<number, number>>>();
  const empty = () => ({ before: new Map<number, number>(), after: new Map<number, number>() });
  const own = { key: ALL_OWN, id: brand.id, name: brand.name, isOwn: true };
  if (by === 'domain') cells.set(ALL_OWN, { ...own, ...empty() });
  for (const { key, name, isCurrent, unit, citations } of rows) {
    const at = key ?? ALL_OWN;
    const cell = cells.get(at) ?? {
      ...{ key: at, id: name || null, name: name || 'no domain', isOwn: by === 'page' },
      ...empty(),
    };
    cells.set(at, cell);
    (isCurrent ? cell.after : cell.before).set(unit, citations);
  }
  return [...cells.values()];
}

// The answer.

const explain = (question: Question, by: Cut): Promise<Explained | null> => {
  switch (by) {
    case 'rival':
      return byRival(question);
    case 'domain':
    case 'page':
      return byCitations(question, by);
    default:
      return byRuns(question, by);
  }
};

/** The largest first; of equal ones by id, null last. */
const inOrder = (a: Found, b: Found): number =>
  Math.abs(b.contribution.total) - Math.abs(a.contribution.total) ||
  Number(a.id === null) - Number(b.id === null) ||
  compareText(a.id ?? '', b.id ?? '');

async function driversOf(
  { context, slice }: Question,
  listed: readonly Found[],
  evidence: EvidenceOf,
): Promise<Driver[]> {
  const wanted = listed.flatMap(({ keys, days }, at): Wanted[] =>
    [days.before, days.after].flatMap((range, when) =>
      range === null
        ? []
        : keys.map((key) => ({ at: 2 * at + when, key, first: range.start, last: range.end })),
    ),
  );
  const choice = { brandKey: context.brand.key, engines: slice.engines as readonly EngineId[] };
  const ids = await evidenceOf(context.db, evidence, { ...choice, ...(slice.runs ?? EVERY_RUN) }, wanted);
  return listed.map(({ id, name, contribution }, at) => {
    const { kind, before, after, weightBefore, weightAfter, rate, mix, panel, total, interval, verdict } =
      contribution;
    return {
      ...{ id, name, kind, before, after, weight_before: weightBefore, weight_after: weightAfter },
      ...{ rate, mix, panel, total, interval: interval && [...interval], verdict },
      evidence: { before: ids.get(2 * at) ?? [], after: ids.get(2 * at + 1) ?? [] },
    };
  });
}

/** What the drivers say together. */
function findings(
  { metric, comparison }: Question,
  by: Cut,
  explained: Explained | null,
  verdict: Why['verdict'],
): (string | false)[] {
  if (explained === null) return [unmeasuredNote(metric, comparison)];
  const { found, parts } = explained;
  const isMoved = found.some(({ contribution }) => ['up', 'down'].includes(contribution.verdict ?? ''));
  const { cells } = cuts[by];
  const asked = parts === null ? 0 : Math.abs((parts.mix ?? 0) + (parts.panel ?? 0));
  const isMoving = verdict === 'up' || verdict === 'down';
  const isAsked = parts !== null && asked > Math.abs(parts.rate ?? Number.POSITIVE_INFINITY);
  return [
    by === 'tag' && sentence('tagsOverlap'),
    isMoving && isAsked && sentence('mostlyAsked', { cells }),
    isMoving &&
      !isAsked &&
      !isMoved &&
      found.length > 1 &&
      sentence('spreadChange', { total: found.length, cells }),
    verdict === 'no_clear_change' && !isMoved && sentence('onlyNoise', { cells }),
  ];
}

function unmeasuredNote(metric: MeasureName, { current, previous }: Comparison): string {
  if (!isMeasurable(metric, current.hasDomain)) return sentence('noParts');
  const isNow = measureValue(metric, current) !== null;
  const isBefore = measureValue(metric, previous) !== null;
  if (!isNow && !isBefore) return sentence('noParts');
  return sentence(isNow ? 'noPartsBefore' : 'noPartsNow');
}

const compute: Reader<'why'> = async (context, params) => {
  const { brand } = context;
  const {
    metric = why.params.metric.default,
    by = why.params.by.default,
    limit = WHY_LIMIT.default,
  } = params;
  if (!fitsMetric(by, metric)) throw refuse(errors.cutDoesNotFit(by, metric, cutsOf(metric)));
  const slice = await sliceOf(context, params);
  const from = await sumsSourceOf(context, slice, slice.prior.start, params);
  const { compare, totals, days } = await comparisons(
    context,
    by === 'rival' ? 'every entity' : 'brand',
    slice,
    from,
  );
  const comparison = compare({ entity: 0, domain: brand.domain });
  const { current, previous, panel } = comparison;
  const isJudged = !isOtherPanel(panel);
  const question = { context, slice, params, metric, comparison, totals, compare, isJudged };
  const after = measureValue(metric, current);
  const before = measureValue(metric, previous);
  const isMeasured = after !== null && before !== null;
  const [explained, circumstances, extent] = await Promise.all([
    isMeasured ? explain(question, by) : null,
    circumstancesOf(context, slice, { after: current, before: previous }),
    daysFields(context, slice, { days }),
  ]);
  const found = [...(explained?.found ?? [])].sort(inOrder);
  const listed = found.slice(0, limit);
  const left = found.slice(limit);
  const { verdict, reason } = judge(metric, comparison);
  const sums = by !== 'tag';
  return {
    brand: brandRefOf(brand),
    metric,
    unit: scaleOf(metric).unit,
    by,
    window: extent.window,
    previous_window: { ...slice.prior, days: daysIn(slice.prior) },
    slice: extent.slice,
    before,
    after,
    difference: isMeasured ? after - before : null,
    ...{ verdict, reason, sums },
    parts: explained?.parts ?? null,
    drivers: explained ? await driversOf(question, listed, explained.evidence) : [],
    rest: {
      count: left.length,
      total: sums ? left.reduce((sum, { contribution }) => sum + contribution.total, 0) : null,
    },
    circumstances,
    note: notes([extent.note, ...findings(question, by, explained, verdict)]),
  };
};

/** Circumstances are also of stored hits, and not of every plan. */
export const reader = withCaching(compute, {
  version: (context) =>
    `${dataVersion(context)} ${context.brand.crawlerVersion} ${seesCrawlers(context.access)}`,
  isCurrent: async (context) => {
    const { db, brand } = context;
    const [state] = await brandState(db, { brandKey: brand.key });
    return state!.crawlerVersion >= brand.crawlerVersion && hasDataVersion(context);
  },
});
