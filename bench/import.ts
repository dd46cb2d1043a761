/**
 * Import of runs against psql's COPY of the same bytes into one unindexed table, in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import ts-blank-space/register bench/import.ts [runs]
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { importDataset, importRecords } from '../src/server/dataset/import.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';
import { catalogOf, runsOf } from './support/synthetic.js';

const ROUNDS = 3;
const TODAY = '2026-11-20';
const now = new Date(`${TODAY}T12:00:00Z`);
const runs = Number(process.argv[2] ?? 50_000);

const url = await createDatabaseUrl();
const database = await openDatabase({ url });
await migrate(database.knex);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const times = { import: [] as number[], copy: [] as number[] };

/** The duration of `work` in seconds. */
async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function copy(file: string): void {
  const sql = `create table if not exists lines (line text); truncate lines; \\copy lines from '${file}' with (format csv, delimiter e'\\x01', quote e'\\x02')`;
  const args = sql.split('; ').flatMap((command) => ['-c', command]);
  const { status, stderr } = spawnSync('psql', ['-q', url, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`psql failed: ${stderr}`);
}

for (let round = 0; round < ROUNDS; round++) {
  const brand = `b${round}`;
  const file = join(folder, `${brand}.ndjson`);
  writeFileSync(file, [...runsOf(brand, runs, TODAY)].map((run) => `${JSON.stringify(run)}\n`).join(''));
  await importRecords(database.knex, catalogOf(brand), { now });
  times.copy.push(await seconds(() => copy(file)));
  times.import.push(await seconds(() => importDataset(database.knex, createReadStream(file), { now })));
  const mib = statSync(file).size / 1024 / 1024;
  console.log(
    `round ${round + 1}: ${runs} runs, ${mib.toFixed(0)} MiB: import ${times.import[round]!.toFixed(1)} s, COPY ${times.copy[round]!.toFixed(1)} s`,
  );
}
console.log(
  `import takes ${(median(times.import) / median(times.copy)).toFixed(1)} times as long as COPY (medians)`,
);
await database.close();
rmSync(folder, { recursive: true });
