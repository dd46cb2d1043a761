/**
 * Builds dist from src: compiled by tsc, the SDK and the command line bundled, and oclif.manifest.json written from it.
 * Makes the package of the SDK alone in dist-sdk.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageSdk } from './sdk/package.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const started = new Date();

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(tsc, '-p', 'tsconfig.json');
await packageSdk(join(root, 'dist', 'sdk'), join(root, 'dist-sdk'));
run('scripts/bundle-cli.mjs');
run('scripts/manifest.mjs', ...process.argv.slice(2));
writeFileSync(join(root, 'dist', '.built'), `${started.toISOString()}\n`);
