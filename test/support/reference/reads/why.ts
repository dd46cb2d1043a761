import type { Window } from '../days.js';
import { dayOf, daysOf, lengthOf } from '../days.js';
import { isUnder } from '../domains.js';
import type { Entity } from '../entities.js';
import { entitiesOf, mentionsOf } from '../entities.js';
import type { DayCount, ExpectedVerdict, Measured } from '../intervals.js';
import {
  estimateOf,
  estimateOfDays,
  expectedJudgement,
  isOtherMix,
  isSamePanel,
  isSparse,
  lagOf,
  leastVariance,
  measuredIn,
  ratioOf,
  runsByDay,
  windowValue,
} from '../intervals.js';
import { SCALES } from '../metric-values.js';
import type { Open } from '../open.js';
import { OPEN } from '../open.js';
import type { Metric, SliceParams } from '../parameters.js';
import type { DatasetRecord, PromptRecord, RunRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import type { Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import { chosenRuns, expectedSlice } from '../slices.js';
import { exceeds, t95 } from '../student.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

export type ExpectedCut =
  | 'prompt'
  | 'engine'
  | 'topic'
  | 'tag'
  | 'region'
  | 'surface'
  | 'rival'
  | 'domain'
  | 'page';

export interface WhyParams extends SliceParams {
  metric: Metric;
  by: ExpectedCut;
}

interface Expected {
  id: string | null;
  name: string | Open;
  kind: 'both' | 'new' | 'retired';
  before: number | null;
  after: number | null;
  weight_before: number;
  weight_after: number;
  rate: number | null;
  mix: number | null;
  panel: number | null;
  total: number;
  interval: [number, number] | null;
  verdict: ExpectedVerdict | Open | null;
  evidence: { before: string[] | Open; after: string[] | Open };
}

/** What is tested: a difference, its variance and the units of both windows. */
interface Tested {
  difference: number;
  variance: number;
  df: number;
  /** What one unit of the difference adds to the total. */
  factor: number;
}

type Cell = Omit<Expected, 'interval' | 'verdict'> & { tested: Tested | null };

const whole = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** The metrics of a cut that divides what is counted. */
const ONLY: Partial<Record<ExpectedCut, Metric>> = {
  rival: 'share_of_voice_fraction',
  domain: 'citation_share',
  page: 'citation_share',
};

export const isFitting = (by: ExpectedCut, metric: Metric): boolean =>
  ONLY[by] === undefined || ONLY[by] === metric;

/** The body without circumstances and words; drivers are all cells, by id. Null = 404. */
export function expectedWhy(records: DatasetRecord[], scope: Scope, rules: UrlRules, params: WhyParams) {
  const { metric, by, ...slice } = params;
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const { window, prior, runs, priorRuns } = chosenRuns(records, brand, scope.today, slice);
  const tracked = entitiesOf(records, brand);
  const own = tracked[0]!;
  const measure = (some: RunRecord[], days: Window) =>
    measuredIn({ window: days, runs: some }, tracked, rules)(own);
  const [now, then] = [measure(runs, window), measure(priorRuns, prior)];
  const [after, before] = [windowValue(metric, now), windowValue(metric, then)];
  const isMeasured = after !== null && before !== null;
  const judgement = expectedJudgement(metric, now, then);
  const question = {
    records,
    rules,
    tracked,
    metric,
    by,
    window,
    prior,
    runs,
    priorRuns,
    now,
    then,
    measure,
  };
  const cells = isMeasured ? (ONLY[by] ? countedCells(question) : runCells(question)) : [];
  const isJudged =
    (by === 'prompt' || isSamePanel(runs, priorRuns)) && (by === 'surface' || !isOtherMix(runs, priorRuns));
  const drivers = verdicts(cells, isJudged).sort((a, b) => byCodePoint(`${a.id}`, `${b.id}`));
  const sums = by !== 'tag';
  const part = (of: 'rate' | 'mix' | 'panel') => (ONLY[by] ? null : whole(cells.map((cell) => cell[of]!)));
  const ownTotal = whole(
    cells.filter(({ id }) => by === 'page' || id === brand.id).map(({ total }) => total),
  );
  return {
    brand: referenceTo(brand),
    metric,
    unit: SCALES[metric === 'presence_rate' ? 'citation_share' : metric].unit,
    by,
    window: { ...window, days: lengthOf(window) },
    previous_window: { ...prior, days: lengthOf(prior) },
    slice: expectedSlice(slice),
    before,
    after,
    difference: isMeasured ? after - before : null,
    ...judgement,
    sums,
    parts:
      isMeasured && sums
        ? {
            rate: part('rate'),
            mix: part('mix'),
            panel: part('panel'),
            own: ONLY[by] ? ownTotal : null,
            others: ONLY[by] ? after - before - ownTotal : null,
          }
        : null,
    drivers,
    rest: { count: 0, total: sums ? 0 : null },
    circumstances: OPEN,
    note: OPEN,
  };
}

interface Question {
  records: DatasetRecord[];
  rules: UrlRules;
  tracked: Entity[];
  metric: Metric;
  by: ExpectedCut;
  window: Window;
  prior: Window;
  runs: RunRecord[];
  priorRuns: RunRecord[];
  now: Measured;
  then: Measured;
  measure: (some: RunRecord[], days: Window) => Measured;
}

function newest(some: RunRecord[]): string[] {
  return [...some]
    .sort((a, b) => byCodePoint(dayOf(b.collected_at), dayOf(a.collected_at)) || byCodePoint(b.id, a.id))
    .slice(0, 3)
    .map(({ id }) => id);
}

// Prompts, engines and other groups of runs.

function groupsOf(question: Question): (run: RunRecord) => [string | null, string | Open][] {
  const prompts = new Map<string, PromptRecord>();
  for (const each of recordsOfBrand(question.records, 'prompt', question.runs[0]!.brand))
    prompts.set(each.id, each);
  switch (question.by) {
    case 'prompt':
      return ({ prompt }) => [[prompt, prompts.get(prompt)!.text]];
    case 'topic':
      return ({ prompt }) => [[prompts.get(prompt)!.topic ?? null, OPEN]];
    case 'tag':
      return ({ prompt }) => {
        const tags = [...new Set(prompts.get(prompt)!.tags ?? [])];
        return tags.length === 0 ? [[null, OPEN]] : tags.map((tag) => [tag, tag]);
      };
    case 'surface':
      return ({ surface }) => [[surface ?? null, OPEN]];
    case 'engine':
      return ({ engine }) => [[engine, OPEN]];
    default:
      return ({ region }) => [[region, region]];
  }
}

function runCells(question: Question): Cell[] {
  const { metric, window, prior, now, then, measure } = question;
  const of = groupsOf(question);
  const names = new Map<string | null, string | Open>();
  for (const run of [...question.runs, ...question.priorRuns])
    for (const [id, name] of of(run)) names.set(id, name);
  const ratio = (measured: Measured) => ratioOf(metric, measured.whole);
  const [x1, y1] = ratio(now);
  const [x0, y0] = ratio(then);
  const centre = (x0 / y0 + x1 / y1) / 2;
  const times = { visibility: 100, sentiment_index: 50 }[metric as 'visibility'] ?? 1;
  return [...names].flatMap(([id, name]): Cell[] => {
    const isOf = (run: RunRecord) => of(run).some(([group]) => group === id);
    const [mine, mineThen] = [question.runs.filter(isOf), question.priorRuns.filter(isOf)];
    const [cell, cellThen] = [measure(mine, window), measure(mineThen, prior)];
    const [[a1, b1], [a0, b0]] = [ratio(cell), ratio(cellThen)];
    if (b0 === 0 && b1 === 0) return [];
    const [s0, s1] = [b0 / y0, b1 / y1];
    const isBoth = b0 > 0 && b1 > 0;
    const rate = isBoth ? times * ((s0 + s1) / 2) * (a1 / b1 - a0 / b0) : 0;
    const mix = isBoth ? times * ((a0 / b0 + a1 / b1) / 2 - centre) * (s1 - s0) : 0;
    let panel = 0;
    if (b0 === 0) panel = times * s1 * (a1 / b1 - centre);
    if (b1 === 0) panel = -times * s0 * (a0 / b0 - centre);
    return [
      {
        ...{ id, name, kind: isBoth ? 'both' : b0 === 0 ? 'new' : 'retired' },
        before: b0 === 0 ? null : windowValue(metric, cellThen),
        after: b1 === 0 ? null : windowValue(metric, cell),
        ...{ weight_before: s0, weight_after: s1, rate, mix, panel, total: rate + mix + panel },
        evidence: evidenceOf(question, mineThen, mine),
        tested: isBoth ? testedRate(metric, cellThen, cell, (times * (s0 + s1)) / 2) : null,
      },
    ];
  });
}

/** The newest runs; of a topic or tag those of the three prompts whose counts changed the most, open if more did equally. */
function evidenceOf(
  { by, metric, measure, window, prior }: Question,
  before: RunRecord[],
  after: RunRecord[],
) {
  if (by !== 'topic' && by !== 'tag') return { before: newest(before), after: newest(after) };
  const count = (some: RunRecord[], days: Window, prompt: string) =>
    ratioOf(
      metric,
      measure(
        some.filter((run) => run.prompt === prompt),
        days,
      ).whole,
    )[0];
  const changes = new Map(
    [...before, ...after].map(({ prompt }) => [
      prompt,
      Math.abs(count(after, window, prompt) - count(before, prior, prompt)),
    ]),
  );
  const from = (some: RunRecord[]): string[] | Open => {
    const asked = [...new Set(some.map(({ prompt }) => prompt))].sort(
      (a, b) => changes.get(b)! - changes.get(a)!,
    );
    const [third, fourth] = [asked[2], asked[3]].map((prompt) => prompt && changes.get(prompt)!);
    if (typeof third === 'number' && typeof fourth === 'number' && isNear(third, fourth)) return OPEN;
    return newest(some.filter(({ prompt }) => asked.indexOf(prompt) < 3));
  };
  return { before: from(before), after: from(after) };
}

function testedRate(metric: Metric, then: Measured, now: Measured, factor: number): Tested | null {
  const [before, after] = [estimateOf(metric, then), estimateOf(metric, now)];
  if (!before.isEnough || !after.isEnough) return null;
  const isFew = isSparse(metric, then) || isSparse(metric, now);
  const least = isFew ? leastVariance(metric, [now, then]) : 0;
  return {
    difference: after.ratio - before.ratio,
    variance: Math.max(before.variance + after.variance, least),
    df: before.freedom + after.freedom,
    factor,
  };
}

// Names and pages in the runs.

interface Counted {
  id: string | null;
  name: string | Open;
  isOwn: boolean;
  of: (run: RunRecord) => number;
}

function countedOf({ by, tracked, rules, runs, priorRuns }: Question): Counted[] {
  const own = tracked[0]!;
  if (by === 'rival')
    return tracked.map((entity) => ({
      ...{ id: entity.id, name: entity.name, isOwn: entity === own },
      of: (run) => Number(mentionsOf(entity, run.mentions).length > 0),
    }));
  const cited = (run: RunRecord) => run.citations.map(({ url }) => rules.canonicalUrl(url));
  const isOwn = (domain: string) => domain !== '' && own.domain !== '' && isUnder(domain, own.domain);
  const all = [...runs, ...priorRuns].flatMap(cited);
  if (by === 'page')
    return [...new Set(all.filter(({ domain }) => isOwn(domain)).map(({ url }) => url))].map((url) => ({
      ...{ id: url, name: url, isOwn: true },
      of: (run) => cited(run).filter((each) => each.url === url).length,
    }));
  const domains = [...new Set(all.map(({ domain }) => domain))].filter((domain) => !isOwn(domain));
  return [
    {
      ...{ id: own.id, name: own.name, isOwn: true },
      of: (run) => cited(run).filter(({ domain }) => isOwn(domain)).length,
    },
    ...domains.map((domain) => ({
      ...{ id: domain || null, name: domain || OPEN, isOwn: false },
      of: (run: RunRecord) => cited(run).filter((each) => each.domain === domain).length,
    })),
  ] as Counted[];
}

function countedCells(question: Question): Cell[] {
  const { metric, by, now, then, runs, priorRuns, window, prior } = question;
  const [[x1, s1], [x0, s0]] = [ratioOf(metric, now.whole), ratioOf(metric, then.whole)];
  const [n1, n0] = [runs.length, priorRuns.length];
  const [x, s] = [(x0 / n0 + x1 / n1) / 2, (s0 / n0 + s1 / n1) / 2];
  const product = (s0 / n0) * (s1 / n1);
  return countedOf(question).map(({ id, name, isOwn, of }): Cell => {
    const factor = (isOwn ? s - x : -x) / product;
    const [c0, c1] = [whole(priorRuns.map(of)), whole(runs.map(of))];
    return {
      ...{ id, name, kind: 'both', before: c0 / n0, after: c1 / n1, weight_before: n0, weight_after: n1 },
      ...{ rate: null, mix: null, panel: null, total: factor * (c1 / n1 - c0 / n0) },
      evidence: {
        before: newest(priorRuns.filter((run) => of(run) > 0)),
        after: newest(runs.filter((run) => of(run) > 0)),
      },
      tested: testedCount(by, perDay(prior, priorRuns, of), perDay(window, runs, of), factor),
    };
  });
}

/** Counts and runs of each day. */
function perDay(window: Window, some: RunRecord[], of: (run: RunRecord) => number) {
  const byDay = runsByDay(some);
  const days = daysOf(window).map((date, day): DayCount => {
    const runs = byDay.get(date) ?? [];
    return [day, whole(runs.map(of)), runs.length];
  });
  const count = whole(days.map(([, each]) => each));
  return { ...estimateOfDays(days, lagOf(window)), count, runs: some.length };
}

function testedCount(
  by: ExpectedCut,
  a: ReturnType<typeof perDay>,
  b: ReturnType<typeof perDay>,
  factor: number,
): Tested | null {
  if (!a.isEnough || !b.isEnough) return null;
  let least = 0;
  const fewest = Math.min(a.count, b.count);
  if (by === 'rival') {
    if (Math.min(fewest, a.runs - a.count, b.runs - b.count) < 5) {
      const p = (a.count + b.count + 1) / (a.runs + b.runs + 2);
      least = p * (1 - p) * (1 / a.runs + 1 / b.runs);
    }
  } else if (fewest < 5) least = ((a.count + b.count + 1) / (a.runs + b.runs)) * (1 / a.runs + 1 / b.runs);
  return {
    difference: b.count / b.runs - a.count / a.runs,
    variance: Math.max(a.variance + b.variance, least),
    df: a.freedom + b.freedom,
    factor,
  };
}

// Verdicts: by Benjamini and Hochberg, from the largest p-value down.

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-8;

function verdicts(cells: Cell[], isJudged: boolean): Expected[] {
  const pOf = ({ difference, variance, df }: Tested) =>
    Math.abs(difference) < 1e-15 ? 1 : exceeds(df, Math.abs(difference) / Math.sqrt(variance));
  const ps = cells.flatMap(({ tested }) => (tested ? [pOf(tested)] : [])).sort((a, b) => b - a);
  const limits = ps.map((_, at) => ((ps.length - at) * 0.1) / ps.length);
  const isTight = ps.some((p, at) => isNear(p, limits[at]!));
  const highest = ps.find((p, at) => p <= limits[at]!) ?? -1;
  return cells.map(({ tested, ...rest }) => {
    if (rest.kind !== 'both') return { ...rest, interval: null, verdict: null };
    if (tested === null) return { ...rest, interval: null, verdict: 'unknown' };
    const { difference, variance, df, factor } = tested;
    const p = pOf(tested);
    const radius = t95(df) * Math.sqrt(variance);
    const ends = [factor * (difference - radius), factor * (difference + radius)].sort((a, b) => a - b);
    const interval = ends as [number, number];
    if (!isJudged) return { ...rest, interval, verdict: 'unknown' };
    const isOpen = isTight || isNear(p, 0.05) || isNear(p, highest) !== p <= highest;
    if (Math.abs(factor * difference) < 1e-12) return { ...rest, interval, verdict: 'no_clear_change' };
    if (isOpen && p < 0.06) return { ...rest, interval, verdict: OPEN };
    const isMoved = p <= 0.05 && p <= highest;
    const direction = factor * difference > 0 ? 'up' : 'down';
    return { ...rest, interval, verdict: isMoved ? direction : 'no_clear_change' };
  });
}
