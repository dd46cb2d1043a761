/**
 * Reads of a server on the embedded database while a command imports runs of the brand that is read: a read every 50 ms,
 * whether or not those before it have been answered, and no two of the same window, so that none is cached.
 *
 *   npm run build && node --import ./scripts/support/typescript.mjs bench/embedded-import.ts [runs]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RANGE_DAYS_MAX } from '../src/contract/limits.js';
import { addDays, utcDay } from '../src/server/base/days.js';
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { catalogOf, runsOf } from './support/synthetic.js';

const svc = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const TODAY = utcDay(new Date());
const BRAND = 'read';
/** Runs that the brand has before. */
const STORED_RUNS = 10_000;
const TARGET_MS = 100;
const EVERY_MS = 50;
/** Each may send two reads a second. */
const KEYS = 15;
/** How long reads are measured without an import. */
const QUIET_MS = 10_000;
const READS = ['overview', 'competitors', 'sentiment', 'prompts', 'sources', 'urls'];

export async function embeddedImport(runs = 100_000): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const env = {
    PATH: process.env.PATH,
    SVC_DATA_DIR: folder,
    API_ACCESS_KEY: 'the-operator-key-of-the-bench',
    LOG_LEVEL: 'error',
  };
  const start = (...args: string[]) => spawn(process.execPath, [svc, ...args], { env });
  try {
    const [stored, added] = [join(folder, 'stored.ndjson'), join(folder, 'added.ndjson')];
    await write(stored, [catalogOf(BRAND), runsOf(BRAND, STORED_RUNS, TODAY)]);
    await write(added, [runsOf(BRAND, runs, TODAY)]);
    await output(start('admin', 'migrate'));
    await output(start('admin', 'import', '--quiet', stored));
    const server = start('serve', '--port', '0');
    try {
      const url = await listening(server);
      const keys: string[] = [];
      while (keys.length < KEYS)
        keys.push(
          (await output(start('admin', 'keys', 'create', '--workspace', 'bench', '--kind', 'read'))).trim(),
        );
      const read = reader(url, keys);
      await latencies(read, setTimeout(QUIET_MS / 2));
      const quiet = await latencies(read, setTimeout(QUIET_MS));
      const started = performance.now();
      const busy = await latencies(read, output(start('admin', 'import', '--quiet', added)));
      const seconds = (performance.now() - started) / 1000;
      return [resultOf(runs, seconds, busy, quiet)];
    } finally {
      server.kill();
      await once(server, 'close');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function write(file: string, records: Iterable<object>[]): Promise<void> {
  const lines = function* () {
    for (const some of records) for (const each of some) yield `${JSON.stringify(each)}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** What a command prints. */
async function output(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close');
  const [out, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await closed;
  if (code !== 0) throw new Error(`exit ${code}: ${errors}`);
  return out;
}

async function listening(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const [, url] = /^svc listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended.');
}

/** A function that sends the next read: of another window than those before, by the next key. */
function reader(url: string, keys: readonly string[]): () => Promise<void> {
  let sent = 0;
  return async () => {
    const at = sent++;
    const name = READS[at % READS.length]!;
    const turn = Math.floor(at / READS.length);
    const [length, back] = [1 + (turn % 55), Math.floor(turn / 55) % (RANGE_DAYS_MAX - 60)];
    const to = addDays(TODAY, -back);
    const query = new URLSearchParams({ brand: BRAND, from: addDays(to, -length), to });
    const response = await fetch(`${url}/api/v1/${name}?${query}`, {
      headers: { Authorization: `Bearer ${keys[at % keys.length]}` },
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body}`);
  };
}

/** Milliseconds of each read that was due while something went on, from when it was due. */
async function latencies(read: () => Promise<void>, whatGoesOn: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = whatGoesOn.finally(() => {
    isOver = true;
  });
  const running: Promise<number>[] = [];
  const start = performance.now();
  for (let at = 0; !isOver; at++) {
    const due = start + at * EVERY_MS;
    await setTimeout(Math.max(0, due - performance.now()));
    const took = read().then(() => performance.now() - due);
    // It is awaited in the end.
    took.catch(() => undefined);
    running.push(took);
  }
  await over;
  return (await Promise.all(running)).sort((a, b) => a - b);
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;

function resultOf(runs: number, seconds: number, busy: readonly number[], quiet: readonly number[]): Result {
  const [own, other] = [percentile(busy, 0.99), percentile(quiet, 0.99)];
  const longest = busy.at(-1)!.toFixed(0);
  return {
    name: `reads during an import of ${runs} runs on the embedded database, 99th percentile`,
    measured: `${own.toFixed(0)} ms (${busy.length} in ${seconds.toFixed(0)} s, the longest ${longest} ms)`,
    opponent: `without an import: ${other.toFixed(0)} ms`,
    ratio: own / other,
    target: `≤ ${TARGET_MS} ms`,
    met: own <= TARGET_MS,
  };
}

if (import.meta.filename === process.argv[1]) {
  const [runs] = process.argv.slice(2).map(Number);
  printResults(await embeddedImport(runs));
}
