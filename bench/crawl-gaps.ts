/**
 * The cost of `gaps` of crawlers before it is cached, by the log lines of the site: processor time of this process and of its
 * connections to Postgres, measured in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/crawl-gaps.ts [lines …]
 *
 * Every site has as many pages, some of which are fetched often and many rarely. BENCH_DATABASE_URL names a database that keeps them.
 */
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { agents } from '../src/logs/agents/match.js';
import { readers } from '../src/server/answers/reads/index.js';
import type { ReadContext } from '../src/server/answers/reads/reader.js';
import { everyDayOf, mondayOf, utcDay, windowEnding } from '../src/server/base/days.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { rebuildWeeks } from '../src/server/intake/ingest/crawler-weeks.js';
import { brandWith } from './cold-reads.js';
import { atMost, costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { least } from './support/least.js';
import { printResults } from './support/print-results.js';

/** The runs that cite pages of the site. */
const RUNS = 10_000;
const PAGES = 5000;
/** Days that the lines are spread over: the window, and the one before. */
const DAYS = 56;
/** The most processor time, for so many lines. */
const TARGET = { lines: 200_000, ms: 50, growth: 1.5 };
const PIECE = 100_000;

const listed = agents.filter(({ defaultList }) => defaultList).map(({ key }) => key);

/** The requests of a site instead of those that the brand has: the square of a draw makes few agents and pages frequent. */
async function setLines(knex: Knex, { brand, now }: ReadContext, lines: number): Promise<void> {
  const of = { brandKey: brand.key };
  const { rows: stored } = await knex.raw(
    'select count(*) from crawler_events where brand_key = :brandKey',
    of,
  );
  if (Number(stored[0].count) === lines) return;
  await knex.raw('delete from crawler_events where brand_key = :brandKey', of);
  await knex.raw('select setseed(0.5)');
  for (let first = 1; first <= lines; first += PIECE) {
    await knex.raw(
      `insert into crawler_events (brand_key, dedupe_key, agent, path, time, status, received_at)
       select :brandKey, substring(sha256(i::text::bytea) for 16),
         (cast(:agents as text[]))[1 + floor(power(random(), 2) * :agentCount)],
         '/articles/' || floor(power(random(), 2) * :pages),
         cast(:now as timestamptz) - random() * :days * interval '1 day',
         case when random() < 0.9 then 200 when random() < 0.5 then 404 else 403 end, cast(:now as timestamptz)
       from generate_series(cast(:first as integer), cast(:last as integer)) i`,
      {
        ...of,
        first,
        last: Math.min(lines, first + PIECE - 1),
        now,
        agents: listed,
        agentCount: listed.length,
        pages: PAGES,
        days: DAYS,
      },
    );
  }
  const days = everyDayOf(windowEnding(utcDay(now), DAYS + 7));
  await rebuildWeeks(knex, brand.key, new Set(days.map(mondayOf)));
  await knex.raw(
    `insert into crawler_connections (brand_key, last_event_at, data_version) values (:brandKey, :now, 1)
     on conflict (brand_key) do nothing`,
    { ...of, now },
  );
}

/** Processor time of a process in milliseconds, in steps of 10. */
function spentBy(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

/** Processor time of this process and the server's for it, in milliseconds. */
async function spent(knex: Knex): Promise<number> {
  const { rows } = await knex.raw(
    'select pid from pg_stat_activity where datname = current_database() order by pid',
  );
  const { user, system } = process.cpuUsage();
  return (
    (user + system) / 1000 + rows.reduce((sum: number, { pid }: { pid: number }) => sum + spentBy(pid), 0)
  );
}

/** Reads in a round: the server states its time in steps that are longer than a read. */
const READS = 20;

export async function crawlGaps(
  sizes: readonly number[] = [100_000, TARGET.lines, 1_000_000],
  url?: string,
  rounds = 5,
): Promise<Result[]> {
  const database = await openDatabase({ url: url ?? (await createDatabaseUrl()) });
  const { knex } = database;
  await migrate(knex);
  const sites: ReadContext[] = [];
  for (const [at, lines] of sizes.entries()) {
    // A brand has the id of its number of runs.
    const site = await brandWith(database, RUNS + at);
    await setLines(knex, site, lines);
    sites.push(site);
  }
  await knex.raw('vacuum analyze');
  const took = sites.map(() => [] as number[]);
  // The first round reads from the disk.
  for (let round = -1; round < rounds; round++) {
    for (const [at, site] of sites.entries()) {
      const before = await spent(knex);
      for (let n = 0; n < READS; n++) await readers.gaps(site, { kind: 'crawl' } as never);
      if (round >= 0) took[at]!.push(((await spent(knex)) - before) / READS);
    }
  }
  await database.close();
  const figures = took.map(least);
  const name = (at: number) => `gaps of crawlers, ${sizes[at]} log lines`;
  const last = sizes.length - 1;
  return [
    ...sizes.flatMap((lines, at) =>
      lines === TARGET.lines ? [atMost(name(at), figures[at]!, TARGET.ms, 'ms of processor time')] : [],
    ),
    costOf(name(last), figures[last]!, `${sizes[0]} lines`, figures[0]!, {
      unit: 'ms of processor time',
      target: TARGET.growth,
    }),
  ];
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  printResults(await crawlGaps(sizes.length > 0 ? sizes : undefined, process.env.BENCH_DATABASE_URL));
}
