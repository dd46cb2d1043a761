/** What else changed between two windows. It explains nothing by itself, so each sentence states a fact and no cause. */

import { type Circumstance, circumstanceOf } from '../../../contract/circumstances.js';
import { planAtLeast } from '../../../contract/keys.js';

import { crawlers } from '../../../contract/reads/crawlers.js';
import { feedsAnswers } from '../../../logs/agents/agent.js';
import { findAgent } from '../../../logs/agents/match.js';
import type { Access } from '../../accounts/access.js';
import { addDays } from '../../base/days.js';
import { plannedStatement, statement, type WindowBindings } from '../../base/statement.js';
import { meanMoved } from '../metrics/contributions.js';
import type { Sample } from '../metrics/samples.js';
import { modelChangesOf } from '../sums/collection.js';
import { COUNTED } from '../sums/crawler-weeks.js';
import { marksOf } from '../sums/marks.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN, isOfPrompts } from '../sums/run-choice.js';
import type { ReadContext } from './reader.js';
import type { Slice } from './slice.js';

interface Compared extends WindowBindings {
  /** First day of the window before. */
  priorStart: string;
}

// Surfaces.

interface SurfacePart {
  surface: string;
  now: number;
  before: number;
}

const nowAndBefore = (runs: string): string => `
  coalesce(sum(${runs}) filter (where day >= :start), 0)::bigint as now,
  coalesce(sum(${runs}) filter (where day < :start), 0)::bigint as before`;

/** Stated surfaces of both windows. */
const surfaceParts = statement<SurfacePart, Compared>(
  'surface_parts',
  `select surface, ${nowAndBefore('run_count')} from day_surface
   where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)
   group by surface order by surface`,
);

const chosenSurfaceParts = plannedStatement<SurfacePart, Compared & ChosenBindings>(
  'chosen_surface_parts',
  `select surface, ${nowAndBefore('1')} from ${chosenRuns(':priorStart')} and surface <> ''
   group by surface order by surface`,
);

/** A surface whose part of the answers changed by so much is stated. */
const MOVED_SURFACE = 0.2;

function surfacesMoved(rows: readonly SurfacePart[], now: number, before: number): Circumstance[] {
  if (now === 0 || before === 0) return [];
  return rows.flatMap((row) => {
    const [is, was] = [row.now / now, row.before / before];
    return Math.abs(is - was) < MOVED_SURFACE ? [] : [circumstanceOf('surface', null, row.surface, is, was)];
  });
}

// Searches behind answers.

interface SearchChange {
  query: string;
  now: number;
  before: number;
}

/** Searches behind fewer answers may be missing by chance. */
const LEAST_SEARCHES = 5;
const SEARCHES_LISTED = 3;

/** Searches of one window only, while the other has searches too. */
const searchChanges = plannedStatement<
  SearchChange,
  Compared & { promptKeys: readonly number[] | null; least: number }
>(
  'search_changes',
  `with summed as materialized (
     select query_key, ${nowAndBefore('runs')} from day_fanout
     where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)
       and (cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))
     group by query_key
   )
   select q.query, s.now, s.before from summed s
   join fanout_queries q on q.brand_key = :brandKey and q.query_key = s.query_key
   where least(s.now, s.before) = 0 and greatest(s.now, s.before) >= :least
     and exists (select 1 from summed where now > 0) and exists (select 1 from summed where before > 0)
   order by greatest(s.now, s.before) desc, q.query`,
);

function searchesMoved(rows: readonly SearchChange[]): Circumstance[] {
  const started = rows.filter(({ before }) => before === 0).slice(0, SEARCHES_LISTED);
  const ended = rows.filter(({ now }) => now === 0).slice(0, SEARCHES_LISTED);
  return [
    ...started.map(({ query, now }) => circumstanceOf('new_search', null, query, now)),
    ...ended.map(({ query, before }) => circumstanceOf('ended_search', null, query, before)),
  ];
}

// Names in answers.

function namesMoved(after: Sample, before: Sample): Circumstance[] {
  const means = meanMoved(before, after);
  return means ? [circumstanceOf('brands_named', null, '', means.after, means.before)] : [];
}

// Crawlers of the site.

interface CrawlerChange {
  agent: string;
  now: number;
  before: number;
  refusedNow: number;
  refusedBefore: number;
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

const crawlerChanges = statement<CrawlerChange, { brandKey: number; from: Date; middle: Date; until: Date }>(
  'crawler_changes',
  `select agent, count(*) filter (where is_now) as now, count(*) filter (where not is_now) as before,
     count(*) filter (where is_now and (${COUNTED.refused})) as "refusedNow",
     count(*) filter (where not is_now and (${COUNTED.refused})) as "refusedBefore"
   from (
     select agent, status, time >= cast(:middle as timestamptz) as is_now from crawler_events
     where brand_key = :brandKey and time >= cast(:from as timestamptz) and time < cast(:until as timestamptz)
   ) e
   group by agent order by agent`,
);

/** Agents with fewer requests may be silent by chance. */
const LEAST_REQUESTS = 5;

/** How often agents that fetch for answers came. Empty unless logs have come in both windows. */
function crawlersMoved(rows: readonly CrawlerChange[]): Circumstance[] {
  const some = (of: (row: CrawlerChange) => number) => rows.some((row) => of(row) > 0);
  if (!some(({ now }) => now) || !some(({ before }) => before)) return [];
  return rows.flatMap(({ agent, now, before, refusedNow, refusedBefore }) => {
    const known = findAgent(agent);
    if (!known || !feedsAnswers(known.purpose)) return [];
    if (now === 0 && before >= LEAST_REQUESTS)
      return [circumstanceOf('crawler_silent', null, agent, known.label, before)];
    const isRefused = now >= LEAST_REQUESTS && 2 * refusedNow >= now;
    const wasRefused = before > 0 && 2 * refusedBefore >= before;
    if (!isRefused || wasRefused) return [];
    return [
      circumstanceOf('crawler_refused', null, agent, known.label, [refusedNow, now], [refusedBefore, before]),
    ];
  });
}

/** Whether the caller may see what crawlers do: a link shows nothing about the site. */
export const seesCrawlers = ({ plan, shareId }: Pick<Access, 'plan' | 'shareId'>): boolean =>
  shareId === undefined && (plan === null || planAtLeast(plan, crawlers.plan));

/** @param after, before Any entity in both windows. */
export async function circumstancesOf(
  { db, brand, access }: ReadContext,
  { window, prior, engines, runs }: Slice,
  { after, before }: { readonly after: Sample; readonly before: Sample },
): Promise<Circumstance[]> {
  const brandKey = brand.key;
  const both = { brandKey, engines, ...window, priorStart: prior.start };
  const [marks, models, surfaces, searches, requests] = await Promise.all([
    marksOf(db, { brandKey, start: prior.start, end: window.end }),
    modelChangesOf({ db, brand }, engines, window),
    runs ? chosenSurfaceParts(db, { ...both, ...EVERY_RUN, ...runs }) : surfaceParts(db, both),
    // A search is not stored by region or surface.
    isOfPrompts(runs)
      ? searchChanges(db, { ...both, promptKeys: runs?.promptKeys ?? null, least: LEAST_SEARCHES })
      : [],
    brand.crawlerVersion > 0 && seesCrawlers(access)
      ? crawlerChanges(db, {
          brandKey,
          from: midnight(prior.start),
          middle: midnight(window.start),
          until: midnight(addDays(window.end, 1)),
        })
      : [],
  ]);
  return [
    ...marks.map(({ day, text }) => circumstanceOf('mark', null, text, day)),
    ...models.map(({ engine, model, since }) => circumstanceOf('model', engine, model, engine, since)),
    ...surfacesMoved(surfaces, after.totals.runs, before.totals.runs),
    ...searchesMoved(searches),
    ...namesMoved(after, before),
    ...crawlersMoved(requests),
  ];
}
