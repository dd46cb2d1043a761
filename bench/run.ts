/**
 * Every bench in one run, on a Postgres server that is started for it, and `bench/results.md` from the results:
 *
 *   npm run bench [-- --only NAME] [--runs N]
 *
 * Each line has its opponent measured in turn in the same run. Run it on an idle machine.
 */
import { parseArgs } from 'node:util';
import { cachedReads } from './cached-reads.js';
import { coldPage } from './cold-page.js';
import { coldReads, type Growth } from './cold-reads.js';
import { crawlGaps } from './crawl-gaps.js';
import { embeddedImport } from './embedded-import.js';
import { firstScreens } from './first-screen.js';
import { imports } from './import.js';
import { ingest } from './ingest.js';
import { mcpCalls } from './mcp-calls.js';
import { moves } from './moves.js';
import { parseLogs } from './parse-logs.js';
import { sdkImport } from './sdk-import.js';
import { slices } from './slices.js';
import { start } from './start.js';
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';
import { writeResults } from './support/write-results.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, runs: { type: 'string', default: '1000000' } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1000) {
  console.error(`--runs: expected an integer of at least 1000, got ${values.runs}.`);
  process.exit(2);
}
/** Runs of the brands that are compared. */
const sizes = [runs / 10, (runs * 3) / 10, runs].map(Math.round);

let growth: Growth | undefined;
/** Imports brands of growing size into one database, and reads them. */
async function growing(): Promise<Result[]> {
  const filled = await imports(sizes);
  const cold = await coldReads(sizes, filled.url);
  growth = cold.growth;
  return [
    ...filled.results,
    ...cold.results,
    ...(await slices(sizes, filled.url)),
    ...(await moves(sizes, filled.url)),
    ...(await firstScreens(sizes, filled.url)),
  ];
}

const benches: Readonly<Record<string, () => Promise<Result[]>>> = {
  // First, because it states the memory of this process.
  growth: growing,
  start,
  'sdk-import': sdkImport,
  'cached-reads': cachedReads,
  'crawl-gaps': () => crawlGaps(),
  'cold-page': coldPage,
  'embedded-import': () => embeddedImport(runs / 10),
  'mcp-calls': mcpCalls,
  'parse-logs': parseLogs,
  ingest,
};

if (values.only !== undefined && !(values.only in benches)) {
  console.error(`Unknown bench: ${values.only}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const results: Result[] = [];
const started = performance.now();
for (const [name, bench] of Object.entries(benches)) {
  if (values.only !== undefined && values.only !== name) continue;
  const began = performance.now();
  results.push(...(await bench()));
  console.error(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
console.error(
  `all: ${((performance.now() - started) / 60_000).toFixed(1)} minutes, of 15 on an idle machine`,
);
printResults(results);
if (values.only === undefined) await writeResults(results, growth!);
