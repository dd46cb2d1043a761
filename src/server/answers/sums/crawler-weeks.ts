/** Sums of crawler hits by week: what is counted, how their rows are found, and what they tell of the days of a window. */
import { answerAgents } from '../../../contract/engines.js';
import { LEAST_DAYS, REFUSALS } from '../../../contract/reads/gaps.js';
import { addDays, daysBetween, mondayOf, type Window } from '../../base/days.js';
import { type BrandWindow, type Db, plannedStatement } from '../../base/statement.js';

/** What is counted of hits with a status, each with its condition. */
export const COUNTED = {
  requests: 'true',
  refused: `status in (${REFUSALS.join(', ')}) or status between 500 and 599`,
  served: 'status between 200 and 399',
  unstated: 'status is null',
} as const;

/** The refused ones of some hits. */
export const refusedCount = `count(*) filter (where ${COUNTED.refused})`;

export const crawlCounts = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

/** The hash of a path, as rows have it. */
export const pathHash = (path: string): string => `substring(sha256(convert_to(${path}, 'UTF8')) for 16)`;

export const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** The bit of a day of the week, from Monday on. */
export const bitOf = (day: number): number => 2 ** (day - 1);
const WHOLE_WEEK = 127;

// Rows and days of a window.

interface WeekBindings extends BrandWindow {
  /** The Mondays of the weeks that have days of the window. */
  weeks: readonly string[];
}

function weekBindings(brandKey: number, { start, end }: Window): WeekBindings {
  const monday = mondayOf(start);
  const count = Math.floor(daysBetween(monday, end) / 7) + 1;
  return { brandKey, start, end, weeks: Array.from({ length: count }, (_, at) => addDays(monday, 7 * at)) };
}

const ofDays = (of: (day: number) => string, glue: string): string => WEEK_DAYS.map(of).join(glue);

/** The days of the week that are in the window, as bits. Only the first week and the last may have others. */
const DAYS = `case when week >= :start and week + 6 <= :end then ${WHOLE_WEEK}
  else ${ofDays((day) => `case when week + ${day - 1} between :start and :end then ${bitOf(day)} else 0 end`, ' | ')} end`;

/** The rows of the weeks, with `days`, which is computed once a row. @param more Further conditions. */
const inWeeks = (table: string, columns: string, more = 'true'): string => `(
  select ${columns}, ${DAYS} as days from ${table}
  where brand_key = :brandKey and week = any(cast(:weeks as date[])) and ${more} offset 0
) w`;

const isInside = (day: number): string => `days & ${bitOf(day)} > 0`;

/** The sum of a list over the days of the window. */
const inWindow = (name: string): string => `
  case when days = ${WHOLE_WEEK} then ${ofDays((day) => `${name}[${day}]`, ' + ')}
    else ${ofDays((day) => `case when ${isInside(day)} then ${name}[${day}] else 0 end`, ' + ')} end`;

// Statements.

const hashesOf = (paths: string): string =>
  `(select ${pathHash('p')} from unnest(cast(${paths} as text[])) as given (p))`;

/** The sums of an agent's hits for a path. */
export interface PathRequests {
  readonly path: string;
  readonly agent: string;
  readonly requests: number;
  readonly refused: number;
  readonly served: number;
  readonly unstated: number;
}

const COUNTS = crawlCounts.map((name) => `sum(${inWindow(name)})::bigint as ${name}`).join(', ');

const requestsOfAgents = plannedStatement<
  PathRequests,
  WeekBindings & { paths: readonly string[]; agents: readonly string[] | null }
>(
  'requests_for_pages',
  `select * from (
     select min(path) as path, agent, ${COUNTS}
     from ${inWeeks(
       'crawler_weeks',
       `hash, path, agent, ${crawlCounts.join(', ')}`,
       `hash in ${hashesOf(':paths')}
         and (cast(:agents as text[]) is null or agent = any(cast(:agents as text[])))`,
     )}
     group by hash, agent
   ) sums where requests > 0`,
);

/** The requests of some agents for some paths. @param agents Null: of every agent. */
export const requestsFor = (
  db: Db,
  { brandKey, window }: { readonly brandKey: number; readonly window: Window },
  paths: readonly string[],
  agents: readonly string[] | null,
): Promise<readonly PathRequests[]> =>
  paths.length === 0
    ? Promise.resolve([])
    : requestsOfAgents(db, { ...weekBindings(brandKey, window), paths, agents });

/** The days of a row's week on which a page was fetched, as bits. */
const FETCHED = ofDays(
  (day) =>
    `case when ${isInside(day)} and served[${day}] + unstated[${day}] > 0 then ${bitOf(day)} else 0 end`,
  ' | ',
);

type UncitedBindings = WeekBindings & { paths: readonly string[]; rows: number };

/** @param weeks What of each week and page the days are on which it was fetched, as bits, and its requests. */
const uncitedPages = <B extends UncitedBindings>(name: string, weeks: string) =>
  plannedStatement<{ path: string }, B>(
    name,
    `with pages as materialized (
       select hash, sum(requests) as requests from ${weeks} x where hash not in ${hashesOf(':paths')} group by hash
       having sum(cast(bit_count(cast(fetched as bit(7))) as integer)) >= ${LEAST_DAYS}
       order by 2 desc, hash limit :rows
     )
     select p.path from pages cross join lateral (
       select path from crawler_weeks w
       where brand_key = :brandKey and week = any(cast(:weeks as date[])) and w.hash = pages.hash limit 1
     ) p`,
  );

const uncitedOfAll = uncitedPages(
  'never_cited_paths',
  `(select hash, fetched & days as fetched, ${inWindow('requests')} as requests
    from ${inWeeks('crawler_page_weeks', 'hash, fetched, requests')})`,
);

const uncitedOfSome = uncitedPages<UncitedBindings & { agents: readonly string[] }>(
  'never_cited_paths_of_agents',
  `(select hash, bit_or(${FETCHED}) as fetched, sum(${inWindow('requests')}) as requests
    from ${inWeeks('crawler_weeks', 'week, hash, requests, served, unstated', 'is_page and agent = any(cast(:agents as text[]))')}
    group by hash, week)`,
);

/** The pages besides `cited` that some agents fetched on several days: those with most requests. @param agents Of engines. */
export async function uncitedPaths(
  db: Db,
  { brandKey, window }: { readonly brandKey: number; readonly window: Window },
  { cited, agents, rows }: { cited: readonly string[]; agents: readonly string[]; rows: number },
): Promise<readonly string[]> {
  const bindings = { ...weekBindings(brandKey, window), paths: cited, rows };
  const found =
    agents.length === answerAgents.length
      ? await uncitedOfAll(db, bindings)
      : await uncitedOfSome(db, { ...bindings, agents });
  return found.map(({ path }) => path);
}

const lastDay = plannedStatement<{ day: string | null }, WeekBindings & { path: string }>(
  'last_day_for_path',
  `select max(greatest(${ofDays((day) => `case when ${isInside(day)} and requests[${day}] > 0 then week + ${day - 1} end`, ', ')})) as day
   from ${inWeeks('crawler_weeks', 'week, requests', `hash = ${pathHash('cast(:path as text)')}`)}`,
);

/** The newest day of the window with a request for a path; null: there is none. */
export async function lastDayFor(
  db: Db,
  brandKey: number,
  window: Window,
  path: string,
): Promise<string | null> {
  const [row] = await lastDay(db, { ...weekBindings(brandKey, window), path });
  return row!.day;
}
