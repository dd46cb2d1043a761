/**
 * Every bench in one run, on a Postgres server that is started for it, and `bench/results.md` from the results:
 *
 *   npm run bench [-- --only NAME] [--runs N]
 *
 * Each line has its opponent measured in turn in the same run. Run it on an idle machine.
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import knex from 'knex';
import { cachedReads } from './cached-reads.js';
import { coldReads } from './cold-reads.js';
import { imports } from './import.js';
import { rateBuckets } from './rate-buckets.js';
import { start } from './start.js';
import type { Result } from './support/bench.js';
import { printResults } from './support/print-results.js';

const { values } = parseArgs({
  options: { only: { type: 'string' }, runs: { type: 'string', default: '200000' } },
});
const runs = Number(values.runs);

const benches: Readonly<Record<string, () => Promise<Result[]>>> = {
  start,
  'cached-reads': cachedReads,
  'rate-buckets': rateBuckets,
  import: () => imports(runs),
  'cold-reads': () => coldReads({ small: runs / 10, large: runs }),
};

async function machine(): Promise<string> {
  const db = knex({ client: 'pg', connection: process.env.TEST_DATABASE_URL! });
  const { rows } = await db.raw('show server_version');
  await db.destroy();
  const [cpu] = cpus();
  return [
    `Node ${process.versions.node}, Postgres ${rows[0].server_version}`,
    `${cpus().length} processors (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${runs} runs a brand`,
    new Date().toISOString().slice(0, 10),
  ].join('; ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(results: readonly Result[]): string {
  const rows = results.map(({ name, measured, opponent, ratio, target, met }) => {
    const verdict = met === null ? '' : met ? 'met' : '**missed**';
    const cells = [name, measured, opponent, ratio?.toFixed(2) ?? '', target, verdict];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return ['| what | measured | opponent | ratio | target | |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

if (values.only !== undefined && !(values.only in benches)) {
  console.error(`Unknown bench: ${values.only}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const results: Result[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (values.only !== undefined && values.only !== name) continue;
  console.error(`${name} …`);
  results.push(...(await bench()));
}
printResults(results);
if (values.only === undefined) {
  const text = `# Results\n\n${await machine()}. Written by \`npm run bench\`; ratios hold across machines, times do not.\n\n${table(results)}\n`;
  writeFileSync(new URL('./results.md', import.meta.url), text);
}
