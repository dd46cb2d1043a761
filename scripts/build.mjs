/** Builds dist from src: compiled by tsc, the command line bundled, and oclif.manifest.json written from it. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const started = new Date();

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(tsc, '-p', 'tsconfig.json');
run('scripts/bundle-cli.mjs');
run('scripts/manifest.mjs', ...process.argv.slice(2));
writeFileSync(join(root, 'dist', '.built'), `${started.toISOString()}\n`);
