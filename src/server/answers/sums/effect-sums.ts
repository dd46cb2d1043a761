/** Sums of prompts, and of pages that answers cite, in the windows around a day, from daily roll-ups. */
import type { Surface } from '../../../contract/surfaces.js';
import { plannedStatement, statement } from '../../base/statement.js';
import type { SurfaceRuns } from '../metrics/change.js';
import { type ChosenBindings, chosenRuns } from './run-choice.js';

/** The windows in the order of days. */
export const windowNames = ['prior', 'before', 'after'] as const;
export type WindowName = (typeof windowNames)[number];

export const inWindow = (name: WindowName): string => `day between :${name}Start and :${name}End`;

type Days = Record<`${WindowName}${'Start' | 'End'}`, string>;

interface BrandDays extends Record<string, unknown>, Days {
  brandKey: number;
}

export interface PanelPrompt {
  key: number;
  id: string;
  text: string;
}

/** The active prompts. */
export const activePrompts = statement<PanelPrompt, { brandKey: number }>(
  'active_prompts',
  'select prompt_key as key, id, text from prompts where brand_key = :brandKey and active order by id',
);

/** The sums of each window, in the order of `windowNames`. */
export interface PromptSums {
  key: number;
  runs: number[];
  present: number[];
  weights: number[];
}

/** Sums as doubles, which hold all of these whole numbers exactly, because arrays of them are parsed faster. */
const each = (column: string): string =>
  `array[${windowNames
    .map((name) => `coalesce(cast(sum(${column}) filter (where ${inWindow(name)}) as float8), 0)`)
    .join(', ')}]`;

/** The sums of all runs on the blended engines. One row for each prompt, because rows cost more than columns. */
export const promptSums = plannedStatement<PromptSums, BrandDays>(
  'prompt_sums_of_windows',
  `select prompt_key as key, ${each('run_count')} as runs, ${each('present_runs')} as present,
     ${each('weight_sum')} as weights
   from day_prompt where brand_key = :brandKey and day between :priorStart and :afterEnd
   group by prompt_key`,
);

// Surfaces.

const inBoth = (runs: string): string =>
  `coalesce(sum(${runs}) filter (where ${inWindow('after')}), 0)::bigint as runs,
   coalesce(sum(${runs}) filter (where ${inWindow('before')}), 0)::bigint as "previousRuns"`;

export const surfacesOfWindows = statement<SurfaceRuns, BrandDays & { engines: readonly string[] }>(
  'surfaces_of_windows',
  `select surface, ${inBoth('run_count')} from day_surface
   where brand_key = :brandKey and day between :beforeStart and :afterEnd and engine = any(:engines)
   group by surface order by surface`,
);

/** The surfaces of some prompts on the blended engines. */
export const surfacesOfPrompts = plannedStatement<SurfaceRuns, BrandDays & { promptKeys: readonly number[] }>(
  'surfaces_of_prompts',
  `select surface, ${inBoth('listed.runs')}
   from (
     select day, unnest(surfaces) as surface, unnest(surface_runs) as runs from day_prompt_entities
     where brand_key = :brandKey and day between :beforeStart and :afterEnd and prompt_key = any(:promptKeys) offset 0
   ) listed
   group by surface order by surface`,
);

/** The runs of each surface that are not among those of a part. */
export const withoutPart = (all: readonly SurfaceRuns[], part: readonly SurfaceRuns[]): SurfaceRuns[] =>
  all.map(({ surface, runs, previousRuns }) => {
    const own = part.find((row) => row.surface === surface);
    const left = (of: number, from: number) => Math.max(0, from - of);
    return {
      surface: surface as Surface,
      runs: left(own?.runs ?? 0, runs),
      previousRuns: left(own?.previousRuns ?? 0, previousRuns),
    };
  });

// Cited pages.

export interface CitedPage {
  url: string;
  answers: number;
  engines: string[] | number;
  firstDay: string;
}

const PAGES = `
  select url_key, url from cited_urls
  where brand_key = :brandKey
    and hash in (select sha256(convert_to(url, 'UTF8')) from unnest(cast(:urls as text[])) as p(url))`;

/** Answers that cite each page, of the blended engines, all runs; `engines` is a mask. */
export const citedPages = plannedStatement<
  CitedPage,
  { brandKey: number; urls: readonly string[]; days: readonly string[] }
>(
  'cited_pages_of_days',
  `select p.url, sum(x.answers)::bigint as answers, bit_or(x.engines) as engines, min(x.day) as "firstDay"
   from (${PAGES}) p cross join unnest(cast(:days as date[])) as w(day)
   join day_url x on x.brand_key = :brandKey and x.day = w.day and x.url_key = p.url_key
   group by p.url`,
);

/** Chosen runs that cite each page; `engines` is a list. */
export const chosenCitedPages = plannedStatement<CitedPage, ChosenBindings & { urls: readonly string[] }>(
  'chosen_cited_pages',
  `select p.url, count(*) as answers, array_agg(distinct r.engine) as engines, min(r.day) as "firstDay"
   from (${PAGES}) p
   join (select day, engine, c_url from ${chosenRuns()} offset 0) r on p.url_key = any(r.c_url)
   group by p.url`,
);
