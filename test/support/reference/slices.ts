import type { Window } from './days.js';
import { currentWindow, dayOf, isWithin, lengthOf, windowBefore } from './days.js';
import { engineFilter } from './engine-filter.js';
import { isBlended } from './engines.js';
import type { ExpectedMeasured } from './measured.js';
import { beginsWithin, expectedMeasured } from './measured.js';
import { WORDS } from './open.js';
import type { SliceParams } from './parameters.js';
import { customWindow } from './parameters.js';
import type { BrandRecord, DatasetRecord, PromptRecord, RunRecord } from './records.js';
import { recordsOfBrand, unshownRuns } from './records.js';

export interface ExpectedSlice {
  from: string | null;
  to: string | null;
  engines: string[] | null;
  prompts: string[] | null;
  topics: string[] | null;
  tags: string[] | null;
  regions: string[] | null;
  surfaces: string[] | null;
}

export interface ExpectedWindow extends Window {
  days: number;
}

export interface Echo {
  window: ExpectedWindow;
  slice: ExpectedSlice | null;
  measured: ExpectedMeasured;
  note: string | null;
}

/** What the parameters of a request choose of the runs of a brand. */
export interface Chosen {
  window: Window;
  prior: Window;
  counts(engine: string): boolean;
  runs: RunRecord[];
  priorRuns: RunRecord[];
  /** Those of the window that have no answer. */
  unshown: RunRecord[];
  /** A slice without a run in its window: nothing was measured. */
  isNothing: boolean;
  /** The last fields of a body. */
  echo: Echo;
}

/** Whether the request has one of prompt, topic, tag, region and surface. */
export function choosesRuns({ prompts, topics, tags, regions, surfaces }: SliceParams): boolean {
  return [prompts, topics, tags, regions, surfaces].some((values) => values !== undefined);
}

/** The slice as a body states it; null for a request without one. */
export function expectedSlice(params: SliceParams): ExpectedSlice | null {
  const { from, to, engines, prompts, topics, tags, regions, surfaces } = params;
  if (from === undefined && engines === undefined && !choosesRuns(params)) return null;
  const once = (values: string[] | undefined) => (values === undefined ? null : [...new Set(values)]);
  return {
    from: from ?? null,
    to: to ?? null,
    engines: engineFilter(engines).engines,
    prompts: once(prompts),
    topics: once(topics),
    tags: once(tags),
    regions: once(regions),
    surfaces: once(surfaces),
  };
}

/** Whether a run is in one of the regions and states one of the surfaces, and its prompt has one of the ids, of the topics and of the tags. */
export function runFilter(
  records: DatasetRecord[],
  brand: string,
  { prompts, topics, tags, regions, surfaces }: SliceParams,
): (run: RunRecord) => boolean {
  const byId = new Map<string, PromptRecord>();
  for (const prompt of recordsOfBrand(records, 'prompt', brand)) byId.set(prompt.id, prompt);
  return (run) => {
    const prompt = byId.get(run.prompt)!;
    if (prompts !== undefined && !prompts.includes(prompt.id)) return false;
    if (topics !== undefined && !topics.some((topic) => topic === prompt.topic)) return false;
    if (tags !== undefined && !tags.some((tag) => prompt.tags?.includes(tag))) return false;
    if (surfaces !== undefined && !(run.surface && surfaces.includes(run.surface))) return false;
    return regions === undefined || regions.includes(run.region);
  };
}

/** @param countsUnfiltered The engines that count in a request without engines. */
export function chosenRuns(
  records: DatasetRecord[],
  brand: BrandRecord,
  today: string,
  params: SliceParams,
  countsUnfiltered: (engine: string) => boolean = isBlended,
): Chosen {
  const window = customWindow(params) ?? currentWindow(today);
  const prior = windowBefore(window);
  const counts = params.engines === undefined ? countsUnfiltered : engineFilter(params.engines).counts;
  const isChosen = runFilter(records, brand.id, params);
  const counting = recordsOfBrand(records, 'run', brand.id).filter((run) => counts(run.engine));
  const chosen = counting.filter(isChosen);
  const within = (some: Window, all: RunRecord[]) =>
    all.filter((run) => isWithin(some, dayOf(run.collected_at)));
  const runsOf = (some: Window) => within(some, chosen);
  const runs = runsOf(window);
  const slice = expectedSlice(params);
  return {
    window,
    prior,
    counts,
    runs,
    priorRuns: runsOf(prior),
    unshown: within(
      window,
      unshownRuns(records, brand.id).filter((run) => counts(run.engine) && isChosen(run)),
    ),
    isNothing: slice !== null && runs.length === 0,
    echo: {
      window: { ...window, days: lengthOf(window) },
      slice,
      measured: expectedMeasured(runs.map((run) => dayOf(run.collected_at))),
      note: runs.length === 0 || beginsWithin(window, counting) ? WORDS : null,
    },
  };
}
