/** What the change of a metric is made of, by each cut: cells with their parts, and the days that hold answers to them. */
import { engineLabel, valueLabel } from '../../../contract/glossary.js';
import { type MeasureName, ratioOf } from '../../../contract/measures.js';
import { compareText } from '../../../contract/order.js';
import type { Cut, RunCut, Why } from '../../../contract/reads/why.js';
import { addDays, daysBetween, type Window } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import type { Comparison } from '../metrics/change.js';
import {
  type Contribution,
  type CountedWindow,
  type Counts,
  contributionsOf,
  countedContributions,
  countOf,
  sharesOf,
} from '../metrics/contributions.js';
import { added, type MeasuredDay, relatedIn, type Sample, sampleOfDays } from '../metrics/samples.js';
import { type Cut as CellCut, type CellSums, cellSums } from '../sums/cell-sums.js';
import { type CitedDay, citedDomains, citedOwnPages } from '../sums/citation-sums.js';
import type { EvidenceOf } from '../sums/evidence.js';
import { EVERY_RUN } from '../sums/run-choice.js';
import { trackedEntities } from '../sums/tracked-entities.js';
import type { BrandSource } from './reader.js';
import { requireRunsSince, type Slice, type SliceParams } from './slice.js';

/** A cell with its part of the change, before answers to it are looked up. */
export interface Found {
  readonly id: string | null;
  readonly name: string;
  readonly contribution: Contribution;
  /** Where three of its runs are found in each window, or all; null: it has none. */
  readonly runs: Pair<Sought | null>;
}

interface Sought {
  /** The keys by which the runs are found. */
  readonly keys: readonly (number | string)[];
  /** The days that hold them. */
  readonly days: Days;
}

interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

export interface Explained {
  readonly parts: Why['parts'];
  readonly found: readonly Found[];
  readonly evidence: EvidenceOf;
}

export interface Question {
  readonly context: BrandSource;
  readonly slice: Slice;
  readonly params: SliceParams;
  readonly metric: MeasureName;
  readonly comparison: Comparison;
  /** The runs and citations of each day of both windows. */
  readonly totals: readonly { readonly day: string; readonly runs: number; readonly citations: number }[];
  readonly compare: (entity: { readonly entity: number; readonly domain: string }) => Comparison;
  /** Whether the windows ask the same prompts, and on the same mix of surfaces: drivers have verdicts only then. */
  readonly isJudged: { readonly panel: boolean; readonly mix: boolean };
}

const NO_PARTS = { rate: null, mix: null, panel: null, own: null, others: null } as const;

/** Answers that are listed as evidence. */
const EVIDENCE = 3;

/** Days of a window, counted back from its end. */
interface Days {
  readonly newest: number;
  readonly oldest: number;
}

/** The newest days that hold as many runs as are listed. */
function newestDays(counts: Counts, enough = EVIDENCE): Days | null {
  const days = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  let runs = 0;
  const needed = days.filter(([, count]) => {
    const isNeeded = runs < enough;
    runs += count;
    return isNeeded;
  });
  return needed.length === 0 ? null : { newest: needed[0]![0], oldest: needed.at(-1)![0] };
}

export const datesOf = ({ end }: Window, { newest, oldest }: Days): Window => ({
  start: addDays(end, -oldest),
  end: addDays(end, -newest),
});

// Cuts of the runs.

interface Folder {
  topicId: string | null;
  topicName: string | null;
  tags: string[];
}

/** The texts of prompts. */
const promptTexts = statement<
  { key: number; id: string; text: string },
  { brandKey: number; keys: readonly number[] }
>(
  'prompt_texts',
  `select prompt_key as key, id, text from prompts
   where brand_key = :brandKey and prompt_key = any(cast(:keys as integer[]))`,
);

/** The topics and tags of prompts. */
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

export const columnOf = {
  prompt: 'prompt',
  topic: 'prompt',
  tag: 'prompt',
  engine: 'engine',
  region: 'region',
  surface: 'surface',
} as const satisfies Record<RunCut, CellCut>;

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
  { db, brand }: BrandSource,
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
  readonly rows: CellSums[];
  readonly before: Map<number, MeasuredDay>;
  readonly after: Map<number, MeasuredDay>;
}

/** Rows of runs and of roll-ups come in different orders. */
const inOrder = (days: ReadonlyMap<number, MeasuredDay>): MeasuredDay[] =>
  [...days.values()].sort((a, b) => a.ago - b.ago);

/** Prompts of a topic or a tag whose answers are listed: those whose counts changed the most. */
const MAX_KEYS = 3;

/** Where the evidence of a cell is found. @param rows The sums of the cell, by key and day. */
function soughtRuns(metric: MeasureName, rows: readonly CellSums[]): Found['runs'] {
  const changes = new Map<number | string, number>();
  for (const row of rows) {
    const { numerator } = ratioOf(metric, row);
    changes.set(row.cell, (changes.get(row.cell) ?? 0) + (row.isCurrent ? numerator : -numerator));
  }
  const byChange = [...changes]
    .sort(([key, a], [other, b]) => Math.abs(b) - Math.abs(a) || (key < other ? -1 : 1))
    .map(([key]) => key);
  const soughtIn = (isCurrent: boolean): Sought | null => {
    const measured = rows.filter((row) => row.isCurrent === isCurrent && row.totals.runs > 0);
    const asked = new Set(measured.map(({ cell }) => cell));
    const keys = byChange.filter((key) => asked.has(key)).slice(0, MAX_KEYS);
    const counts = new Map<number, number>();
    for (const { cell, ago, totals } of measured)
      if (keys.includes(cell)) counts.set(ago, (counts.get(ago) ?? 0) + totals.runs);
    const days = newestDays(counts);
    return days && { keys, days };
  };
  return { before: soughtIn(false), after: soughtIn(true) };
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
      const cell: Gathered = cells.get(id) ?? { id, name, rows: [], before: new Map(), after: new Map() };
      cells.set(id, cell);
      cell.rows.push(row);
      const { ago } = row;
      const days = row.isCurrent ? cell.after : cell.before;
      const known = days.get(ago);
      days.set(ago, known === undefined ? row : { ago, ...added(known, row) });
    }
  }
  // Cells and days in one order, so that sums of their parts have the same last digits whatever the order of rows.
  const gathered = [...cells.values()].sort((a, b) => compareText(a.id ?? '', b.id ?? ''));
  const contributions = contributionsOf(
    metric,
    { before: previous, after: current },
    gathered.map((cell) => ({
      before: sampleOfDays(inOrder(cell.before), previous),
      after: sampleOfDays(inOrder(cell.after), current),
    })),
    (isJudged.panel || by === 'prompt') && (isJudged.mix || by === 'surface'),
  );
  if (contributions === null) return null;
  const found = gathered.flatMap(({ id, name, rows: own }, at): Found[] => {
    const contribution = contributions[at]!;
    return contribution === null ? [] : [{ id, name, contribution, runs: soughtRuns(metric, own) }];
  });
  const sum = (of: 'rate' | 'mix' | 'panel') =>
    found.reduce((total, { contribution }) => total + contribution[of]!, 0);
  const parts = { ...NO_PARTS, rate: sum('rate'), mix: sum('mix'), panel: sum('panel') };
  return { parts: by === 'tag' ? null : parts, found, evidence: column };
}

// Cuts of what is counted in the runs.

interface CountedCell extends Named {
  readonly key: number;
  readonly isOwn: boolean;
  readonly before: Counts;
  readonly after: Counts;
}

const runsByDay = ({ start, end }: Window, totals: Question['totals']): Counts =>
  new Map(
    totals
      .filter(({ day }) => day >= start && day <= end)
      .map(({ day, runs }) => [daysBetween(day, end), runs]),
  );

function byCounts(
  { slice, totals, isJudged }: Question,
  cells: readonly CountedCell[],
  all: Pair<number>,
  few: 'of runs' | 'of citations',
): Explained | null {
  const windows = { before: slice.prior, after: slice.window };
  const whole = (when: keyof Pair<unknown>): CountedWindow => ({
    related: relatedIn(windows[when]),
    runs: runsByDay(windows[when], totals),
    own: cells.filter(({ isOwn }) => isOwn).reduce((sum, cell) => sum + countOf(cell[when]), 0),
    all: all[when],
  });
  const [before, after] = [whole('before'), whole('after')];
  const shares = sharesOf(before, after);
  if (shares === null) return null;
  const contributions = countedContributions(
    shares,
    before,
    after,
    cells,
    few,
    isJudged.panel && isJudged.mix,
  );
  // An answer may have several citations, so their number does not say how many days hold enough answers.
  const enough = few === 'of runs' ? EVIDENCE : Number.POSITIVE_INFINITY;
  const sought = (key: number, counts: Counts): Sought | null => {
    const days = newestDays(counts, enough);
    return days && { keys: [key], days };
  };
  return {
    parts: { ...NO_PARTS, own: shares.own, others: shares.others },
    found: cells.map((cell, at) => ({
      id: cell.id,
      name: cell.name,
      contribution: contributions[at]!,
      runs: { before: sought(cell.key, cell.before), after: sought(cell.key, cell.after) },
    })),
    evidence: 'name',
  };
}

const mentionsByDay = ({ days }: Sample): Counts =>
  new Map(days.map(({ ago, entity }) => [ago, entity.present]));

async function byRival(question: Question): Promise<Explained | null> {
  const { context, compare, comparison } = question;
  const tracked = await trackedEntities(context.db, { brandKey: context.brand.key });
  const cells = tracked.map(({ entity, id, name, domain }): CountedCell => {
    const { current, previous } = compare({ entity, domain });
    return {
      id,
      name,
      key: entity,
      isOwn: entity === 0,
      before: mentionsByDay(previous),
      after: mentionsByDay(current),
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
  if (runs !== null) await requireRunsSince(context, prior.start, params, ['by']);
  const cited = by === 'domain' ? citedDomains : citedOwnPages;
  const ofEngines = by === 'domain' && rolledUp ? citedDomains.rollUp : cited.engines;
  const rows = await (runs === null ? ofEngines : cited.runs)(db, {
    brandKey: brand.key,
    ...window,
    priorStart: prior.start,
    engines,
    ...(runs ?? EVERY_RUN),
  });
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
  rows: readonly CitedDay[],
  by: 'domain' | 'page',
  brand: BrandSource['brand'],
): CountedCell[] {
  const cells = new Map<number, CountedCell & Pair<Map<number, number>>>();
  const empty = () => ({ before: new Map<number, number>(), after: new Map<number, number>() });
  const own = { key: ALL_OWN, id: brand.id, name: brand.name, isOwn: true };
  if (by === 'domain') cells.set(ALL_OWN, { ...own, ...empty() });
  for (const { key, name, isCurrent, ago, citations } of rows) {
    const at = key ?? ALL_OWN;
    const cell = cells.get(at) ?? {
      key: at,
      id: name || null,
      name: name || 'no domain',
      isOwn: by === 'page',
      ...empty(),
    };
    cells.set(at, cell);
    (isCurrent ? cell.after : cell.before).set(ago, citations);
  }
  return [...cells.values()];
}

/** Null: nothing was counted in one of the windows. */
export const explain = (question: Question, by: Cut): Promise<Explained | null> => {
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
