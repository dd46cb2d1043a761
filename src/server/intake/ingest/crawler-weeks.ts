/** Sums of crawler hits by week, path and agent, so that a read of many paths costs the same however many hits there are. */

import type { Knex } from 'knex';
import { answerAgents } from '../../../contract/engines.js';
import { NO_PAGE } from '../../../logs/pages.js';
import { bitOf, COUNTED, crawlCounts, pathHash, WEEK_DAYS } from '../../answers/sums/crawler-weeks.js';
import { statement } from '../../base/statement.js';

/** The columns of a group of hits. */
const countsOf = crawlCounts.map((name) => `count(*) filter (where ${COUNTED[name]}) as ${name}`).join(', ');

/** The day (UTC) of the hits of `source`, and their counts. */
export const cellsOf = (source: string): string => `
  select agent, path, cast(time at time zone 'UTC' as date) as day, ${countsOf} from ${source} group by 1, 2, 3`;

const WEEK = "cast(date_trunc('week', day) as date) as week";
const IS_PAGE = 'path !~* cast(:noPage as text)';

/** The sums of a count by day of the week. */
const listOf = (name: string): string =>
  `array[${WEEK_DAYS.map((day) => `coalesce(sum(${name}) filter (where extract(isodow from day) = ${day}), 0)`).join(', ')}]::integer[]`;

/** Adds a list to the stored one. */
const added = (name: string): string =>
  `${name} = array[${WEEK_DAYS.map((day) => `w.${name}[${day}] + excluded.${name}[${day}]`).join(', ')}]`;

/** A table of sums: rows from cells by day, in the order in which they are locked, and what is added to stored ones. */
interface Sums {
  readonly table: string;
  readonly columns: string;
  rows(cells: string): string;
  readonly key: string;
  readonly add: string;
}

const ofAgents: Sums = {
  table: 'crawler_weeks',
  columns: `brand_key, week, hash, agent, path, is_page, ${crawlCounts.join(', ')}`,
  rows: (cells) => `
    select cast(:brandKey as integer), ${WEEK}, ${pathHash('path')} as hash, agent, path,
      ${IS_PAGE}, ${crawlCounts.map(listOf).join(', ')}
    from ${cells} cells group by week, path, agent order by week, hash, agent`,
  key: 'brand_key, week, hash, agent',
  add: crawlCounts.map(added).join(', '),
};

const ofPages: Sums = {
  table: 'crawler_page_weeks',
  columns: 'brand_key, week, hash, requests, fetched',
  rows: (cells) => `
    select cast(:brandKey as integer), ${WEEK}, ${pathHash('path')} as hash, ${listOf('requests')},
      bit_or(case when served + unstated > 0 then cast(${bitOf(1)} << cast(extract(isodow from day) as integer) - 1 as integer) else 0 end)
    from ${cells} cells where agent in (${answerAgents.map((key) => `'${key}'`).join(', ')}) and ${IS_PAGE}
    group by week, path order by week, hash`,
  key: 'brand_key, week, hash',
  add: `${added('requests')}, fetched = w.fetched | excluded.fetched`,
};

/** Cells as JSON: arrays of [agent, path, day, count, …]. */
const GIVEN = `(
  select c ->> 0 as agent, c ->> 1 as path, cast(c ->> 2 as date) as day,
    ${crawlCounts.map((name, at) => `cast(c ->> ${at + 3} as integer) as ${name}`).join(', ')}
  from json_array_elements(cast(:cells as json)) as e (c)
)`;

const tables = [ofAgents, ofPages].map(({ table, columns, rows, key, add }) => {
  const named = (verb: string, sql: string) =>
    statement<never, Readonly<Record<string, unknown>>>(`${verb}_${table}`, sql);
  const insert = `insert into ${table} as w (${columns})`;
  return {
    add: named('add_to', `${insert} ${rows(GIVEN)} on conflict (${key}) do update set ${add}`),
    drop: named(
      'drop',
      `delete from ${table} where brand_key = :brandKey and week between cast(:from as date) and cast(:until as date)`,
    ),
    sum: named(
      'sum',
      `${insert} ${rows(
        `(${cellsOf(`crawler_events
           where brand_key = :brandKey and time >= cast(cast(:week as date) as timestamp) at time zone 'UTC'
             and time < cast(cast(:week as date) + 7 as timestamp) at time zone 'UTC'`)})`,
      )}`,
    ),
  };
});

/** What `insert_crawler_events` returns of the rows that it inserted: JSON for `addCells`; null: none. */
export const cellsAsJson = (source: string): string => `(
  select json_agg(json_build_array(agent, path, day, ${crawlCounts.join(', ')}))::text from (${cellsOf(source)}) cells
)`;

/** @param cells JSON arrays of cells. The brand has to be locked. */
export async function addCells(db: Knex, brandKey: number, cells: readonly string[]): Promise<void> {
  if (cells.length === 0) return;
  const joined = `[${cells.map((each) => each.slice(1, -1)).join()}]`;
  for (const { add } of tables) await add(db, { brandKey, cells: joined, noPage: NO_PAGE });
}

/**
 * Sums the stored hits of some weeks again, in a statement each: all at once they may take longer than a statement may. The brand has
 * to be locked.
 */
export async function rebuildWeeks(db: Knex, brandKey: number, mondays: Iterable<string>): Promise<void> {
  for (const week of [...mondays].sort())
    for (const { drop, sum } of tables) {
      await drop(db, { brandKey, from: week, until: week });
      await sum(db, { brandKey, week, noPage: NO_PAGE });
    }
}

/** Before every time of a hit. */
const EVER = '0001-01-01';

/** Deletes the weeks that end before a day, and sums the week of the day again. The brand has to be locked. */
export async function dropOldWeeks(db: Knex, brandKey: number, monday: string): Promise<void> {
  for (const { drop } of tables) await drop(db, { brandKey, from: EVER, until: monday });
  await rebuildWeeks(db, brandKey, [monday]);
}

const connectionForUpdate = statement<{ brandKey: number }, { brandKey: number }>(
  'connection_for_update',
  'select brand_key as "brandKey" from crawler_connections where brand_key = :brandKey for update',
);

const addConnection = statement<never, { brandKey: number }>(
  'add_connection',
  `insert into crawler_connections (brand_key, last_event_at, data_version) values (:brandKey, '-infinity', 0)
   on conflict (brand_key) do nothing`,
);

/**
 * Waits until no other transaction changes the hits of the brand. Two bodies add to the same sums, in any order, and would
 * deadlock. A brand without a connection gets one, which \`connectCrawlerLogs\` has to complete in the same transaction.
 */
export async function lockHits(trx: Knex, brandKey: number): Promise<void> {
  if ((await connectionForUpdate(trx, { brandKey })).length > 0) return;
  await addConnection(trx, { brandKey });
  await connectionForUpdate(trx, { brandKey });
}
