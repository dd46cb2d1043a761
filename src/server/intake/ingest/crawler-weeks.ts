/** Sums of crawler hits by week, path and agent, so that a read of many paths costs the same however many hits there are. */

import type { Knex } from 'knex';
import { NO_PAGE } from '../../../logs/index.js';
import { COUNTED, crawlCounts, pathHash, WEEK_DAYS } from '../../answers/sums/crawler-weeks.js';
import { statement } from '../../base/statement.js';

/** The columns of a group of hits. */
const countsOf = crawlCounts.map((name) => `count(*) filter (where ${COUNTED[name]}) as ${name}`).join(', ');

/** The day (UTC) of the hits of `source`, and their counts. */
export const cellsOf = (source: string): string => `
  select agent, path, cast(time at time zone 'UTC' as date) as day, ${countsOf} from ${source} group by 1, 2, 3`;

/** Rows from cells by day, in the order in which they are locked. */
const rowsOf = (cells: string): string => {
  const list = (name: string) =>
    `array[${WEEK_DAYS.map((day) => `coalesce(sum(${name}) filter (where extract(isodow from day) = ${day}), 0)`).join(', ')}]::integer[]`;
  return `
    select cast(:brandKey as integer), cast(date_trunc('week', day) as date) as week, ${pathHash('path')} as hash, agent, path,
      path !~* cast(:noPage as text), ${crawlCounts.map(list).join(', ')}
    from ${cells} cells group by week, path, agent order by week, hash, agent`;
};

const COLUMNS = `brand_key, week, hash, agent, path, is_page, ${crawlCounts.join(', ')}`;

/** Adds the hits of some cells: a JSON array of [agent, path, day, count, …]. */
const addToWeeks = statement<never, { brandKey: number; cells: string; noPage: string }>(
  'add_to_crawler_weeks',
  `insert into crawler_weeks as w (${COLUMNS})
   ${rowsOf(`(
      select c ->> 0 as agent, c ->> 1 as path, cast(c ->> 2 as date) as day,
        ${crawlCounts.map((name, at) => `cast(c ->> ${at + 3} as integer) as ${name}`).join(', ')}
      from json_array_elements(cast(:cells as json)) as e (c)
    )`)}
   on conflict (brand_key, week, hash, agent) do update set
     ${crawlCounts
       .map(
         (name) =>
           `${name} = array[${WEEK_DAYS.map((day) => `w.${name}[${day}] + excluded.${name}[${day}]`).join(', ')}]`,
       )
       .join(', ')}`,
);

/** What `insert_crawler_events` returns of the rows that it inserted: JSON for `addCells`; null: none. */
export const cellsAsJson = (source: string): string => `(
  select json_agg(json_build_array(agent, path, day, ${crawlCounts.join(', ')}))::text from (${cellsOf(source)}) cells
)`;

/** @param cells JSON arrays of cells. The brand has to be locked. */
export async function addCells(db: Knex, brandKey: number, cells: readonly string[]): Promise<void> {
  if (cells.length === 0) return;
  const joined = `[${cells.map((each) => each.slice(1, -1)).join()}]`;
  await addToWeeks(db, { brandKey, cells: joined, noPage: NO_PAGE });
}

const dropWeeks = statement<never, { brandKey: number; from: string; until: string }>(
  'drop_crawler_weeks',
  'delete from crawler_weeks where brand_key = :brandKey and week between cast(:from as date) and cast(:until as date)',
);

const sumWeeks = statement<never, { brandKey: number; from: string; until: string; noPage: string }>(
  'sum_crawler_weeks',
  `insert into crawler_weeks (${COLUMNS})
   ${rowsOf(
     `(${cellsOf(`crawler_events
        where brand_key = :brandKey and time >= cast(cast(:from as date) as timestamp) at time zone 'UTC'
          and time < cast(cast(:until as date) + 7 as timestamp) at time zone 'UTC'`)})`,
   )}`,
);

/** Before and after every time of a hit. */
const EVER = { from: '0001-01-01', until: '9000-01-01' };

/** Sums the stored hits of some weeks again. The brand has to be locked. @param weeks The first and the last Monday. */
export async function rebuildWeeks(db: Knex, brandKey: number, weeks = EVER): Promise<void> {
  await dropWeeks(db, { brandKey, ...weeks });
  await sumWeeks(db, { brandKey, ...weeks, noPage: NO_PAGE });
}

/** Deletes the weeks that end before a day, and sums the week of the day again. The brand has to be locked. */
export async function dropOldWeeks(db: Knex, brandKey: number, monday: string): Promise<void> {
  await dropWeeks(db, { brandKey, ...EVER, until: monday });
  await sumWeeks(db, { brandKey, from: monday, until: monday, noPage: NO_PAGE });
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
