/**
 * Importing the SDK, compared with a bare node: processor time of a process, the minimum of several runs, in turn.
 *
 *   node --import ts-blank-space/register bench/sdk-import.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROUNDS = 15;
/** The limit for importing, as a multiple of a bare node. */
const GOAL = 1.8;

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

/** CPU milliseconds of a Node process that runs this script. */
function cost(script: string): number {
  const report = join(folder, 'cpu');
  const measured = `process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(report)}, String((user + system) / 1000));
  }); ${script}`;
  spawnSync(process.execPath, ['-e', measured]);
  return Number(readFileSync(report, 'utf8'));
}

const scripts = ['0', `import(${JSON.stringify(outfile)})`];
const rounds = Array.from({ length: ROUNDS }, () => scripts.map(cost));
rmSync(folder, { recursive: true });
const [bare, imported] = scripts.map((_, at) => Math.min(...rounds.map((costs) => costs[at]!)));
const ratio = imported! / bare!;
console.log(
  `bare ${bare!.toFixed(1)} ms, with the SDK ${imported!.toFixed(1)} ms: ${ratio.toFixed(2)} times`,
);
if (ratio > GOAL) process.exitCode = 1;
