/**
 * Builds dist from src: generated, compiled by tsc, the SDK and the command line bundled, oclif.manifest.json written from it, and the
 * stylesheet of the page, the files of swagger-ui that /docs loads and the prepared database folder copied. Makes the package
 * that has only the SDK in dist-sdk.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageSdk } from './sdk/package.mjs';
import { generateSources } from './support/derived.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folderOf = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const tsc = join(folderOf('typescript'), 'bin', 'tsc');
generateSources();
const started = new Date();

function run(script, ...args) {
  const loader = script.endsWith('.ts') ? ['--import', './scripts/support/typescript.mjs'] : [];
  const { status } = spawnSync(process.execPath, [...loader, script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** Copied, because the package swagger-ui-dist depends on one that reports installations to a third party. */
function copySwaggerUi() {
  const assets = join(root, 'dist', 'server', 'web', 'docs', 'assets');
  mkdirSync(assets);
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ])
    copyFileSync(join(folderOf('swagger-ui-dist'), name), join(assets, name));
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(tsc, '-p', 'tsconfig.json');
await packageSdk(join(root, 'dist', 'sdk'), join(root, 'dist-sdk'));
run('scripts/bundle-cli.mjs');
copySwaggerUi();
copyFileSync(join(root, 'src/server/web/page/style.css'), join(root, 'dist/server/web/page/style.css'));
run('scripts/prepare-cluster.ts', 'dist/server/database');
run('scripts/manifest.mjs', ...process.argv.slice(2));
writeFileSync(join(root, 'dist', '.built'), `${started.toISOString()}\n`);
