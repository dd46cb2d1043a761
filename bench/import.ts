/**
 * Import of runs: against COPY of the same bytes into one unindexed table, the last tenth of a file against the first, in
 * an empty database and as a further brand of an analysed one, one more run, memory, and the embedded database.
 *
 *   node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/import.ts [runs …]
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Database, migrate, openDatabase } from '../src/server/database/database.js';
import { BATCH_BYTES, importDataset, importRecords } from '../src/server/intake/dataset/import.js';
import { atMost, costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { printResults } from './support/print-results.js';
import { brandOf, catalogOf, runsOf } from './support/synthetic.js';

const TODAY = '2026-11-20';
const now = new Date(`${TODAY}T12:00:00Z`);
/** The brand that one run is added to has this many runs today. */
const RUNS_TODAY = 20_000;
const MIB = 1024 * 1024;
/**
 * The first tenth of a file is read before any of it is written if it is less than a batch, and the last tenth waits for
 * one. Tenths are comparable when each has several batches.
 */
const BATCHES_A_TENTH = 4;
/** How often the resident memory is read, in milliseconds: reading it for every chunk costs 3 % of an import. */
const MEMORY_INTERVAL = 20;

interface Timing {
  readonly seconds: number;
  /** The last tenth of the lines against the first; null: the file is too short. */
  readonly slowdown: number | null;
  /** The most resident memory of this process. */
  readonly mib: number;
}

/** Where the imported brands are. */
export interface Filled {
  readonly results: Result[];
  readonly url: string;
}

/**
 * Imports brands with so many runs into one server, one after the other, the smallest first: the first into an empty
 * database, each other as a further brand of an analysed one. A tenth of the largest goes into each kind of database.
 */
export async function imports(sizes: readonly number[]): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    const url = await createDatabaseUrl();
    const server = await opened({ url });
    const results: Result[] = [];
    for (const [at, size] of sizes.entries()) {
      const file = await fileOf(folder, brandOf(size), size);
      // Before and after it, because the speed of a disk changes within the minutes of an import.
      const before = copy(url, file);
      const own = await imported(server, file, brandOf(size), size);
      const copied = (before + copy(url, file)) / 2;
      rmSync(file);
      const what = `import of ${size} runs ${at === 0 ? 'into an empty database' : 'as a further brand'}`;
      results.push(
        costOf(what, own.seconds, 'COPY of the same bytes', copied, { unit: 's', target: 6 }),
        ...(own.slowdown === null
          ? []
          : [atMost(`${what}, its last tenth`, own.slowdown, 1.3, '× the first tenth')]),
        atMost(`${what}, resident memory`, own.mib, 400, 'MiB'),
      );
    }
    const largest = sizes.at(-1)!;
    const added = await oneMore(server, brandOf(largest));
    await server.close();
    results.push(
      atMost(`one run added to ${largest} runs, ${RUNS_TODAY} of today`, added, 0.5, 's'),
      atMost(
        'import into the embedded database',
        await embeddedRatio(folder, sizes[0]! / 10),
        3,
        '× a server',
      ),
    );
    return { results, url };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function opened(location: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const database = await openDatabase(location);
  await migrate(database.knex);
  return database;
}

/** A file of the brand's runs. */
async function fileOf(folder: string, brand: string, count: number): Promise<string> {
  const file = join(folder, `${brand}.ndjson`);
  const lines = function* () {
    for (const run of runsOf(brand, count, TODAY)) yield `${JSON.stringify(run)}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return file;
}

async function imported({ knex }: Database, file: string, brand: string, count: number): Promise<Timing> {
  await importRecords(knex, catalogOf(brand), { now });
  const start = performance.now();
  const reached = new Map<number, number>();
  let [bytes, readAt] = [0, 0];
  const onProgress = ({ lines }: { lines: number }) => {
    const time = performance.now();
    const tenth = Math.floor((10 * lines) / count);
    if (!reached.has(tenth)) reached.set(tenth, time);
    if (time - readAt < MEMORY_INTERVAL) return;
    readAt = time;
    bytes = Math.max(bytes, process.memoryUsage.rss());
  };
  await importDataset(knex, createReadStream(file), { now, onProgress });
  const seconds = (performance.now() - start) / 1000;
  const [one, nine, ten] = [reached.get(1)!, reached.get(9)!, reached.get(10)!];
  const isLong = statSync(file).size >= 10 * BATCHES_A_TENTH * BATCH_BYTES;
  return { seconds, slowdown: isLong ? (ten - nine) / (one - start) : null, mib: bytes / MIB };
}

/** Seconds of COPY of the file. */
function copy(url: string, file: string): number {
  const table = ['-c', 'drop table if exists lines; create table lines (line text)'];
  const load = `\\copy lines from '${file}' with (format csv, delimiter e'\\x01', quote e'\\x02')`;
  spawnSync('psql', ['-q', url, ...table]);
  const start = performance.now();
  const { status, stderr } = spawnSync('psql', ['-q', url, '-c', load], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`psql failed: ${stderr}`);
  return (performance.now() - start) / 1000;
}

/** Seconds of importing one run, after many of the same day. */
async function oneMore({ knex }: Database, brand: string): Promise<number> {
  const today = function* (count: number, name: string) {
    for (const run of runsOf(brand, count, TODAY)) {
      yield { ...run, id: `${name}${run.id}`, collected_at: `${TODAY}T08:00:00Z` };
    }
  };
  await importRecords(knex, today(RUNS_TODAY, 'today-'), { now });
  const start = performance.now();
  await importRecords(knex, today(1, 'one-'), { now });
  return (performance.now() - start) / 1000;
}

async function embeddedRatio(folder: string, count: number): Promise<number> {
  const file = await fileOf(folder, 'small', count);
  const seconds: number[] = [];
  for (const location of [{ folder: join(folder, 'data') }, { url: await createDatabaseUrl() }]) {
    const database = await opened(location);
    seconds.push((await imported(database, file, 'small', count)).seconds);
    await database.close();
  }
  return seconds[0]! / seconds[1]!;
}

if (import.meta.filename === process.argv[1]) {
  const sizes = process.argv.slice(2).map(Number);
  printResults((await imports(sizes.length > 0 ? sizes : [100_000, 1_000_000])).results);
}
