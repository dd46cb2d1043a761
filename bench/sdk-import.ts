/**
 * Importing the SDK, compared with a bare node: processor time of a process, the minimum of several runs, in turn.
 *
 *   node --import ./scripts/support/typescript.mjs bench/sdk-import.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { costOf, type Result } from './support/bench.js';
import { printResults } from './support/print-results.js';

const ROUNDS = 15;
/** The limit for importing, as a multiple of a bare node. */
const TARGET = 1.8;

/** CPU milliseconds of a Node process that runs this script. */
function cost(script: string, report: string): number {
  const measured = `process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(report)}, String((user + system) / 1000));
  }); ${script}`;
  spawnSync(process.execPath, ['-e', measured]);
  return Number(readFileSync(report, 'utf8'));
}

export async function sdkImport(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-import-'));
  const outfile = join(folder, 'sdk.mjs');
  await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['src/sdk/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    outfile,
  });
  const scripts = ['0', `import(${JSON.stringify(outfile)})`];
  const report = join(folder, 'cpu');
  const rounds = Array.from({ length: ROUNDS }, () => scripts.map((script) => cost(script, report)));
  rmSync(folder, { recursive: true });
  const [bare, imported] = scripts.map((_, at) => Math.min(...rounds.map((costs) => costs[at]!)));
  return [costOf('import of the SDK', imported!, 'node -e 0', bare!, { unit: 'ms', target: TARGET })];
}

if (import.meta.filename === process.argv[1]) printResults(await sdkImport());
