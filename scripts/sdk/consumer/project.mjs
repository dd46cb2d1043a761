/** Empty projects that install a package of the SDK, as its users do. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const exercise = fileURLToPath(new URL('exercise.mjs', import.meta.url));
const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Runs npm, and returns what it prints. */
function npm(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}

/** Packs a package into a folder, and returns the path of the tarball. */
export function pack(source, folder) {
  const [{ filename }] = JSON.parse(npm(folder, 'pack', '--ignore-scripts', '--json', source));
  return join(folder, filename);
}

/** An empty project with a program for each kind of module: use.mjs and use.cjs, which print `ok`. */
export function createProject(folder, name) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  copyFileSync(exercise, join(folder, 'exercise.mjs'));
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createRequire } from 'node:module';
import * as sdk from '${name}';
import { exercise } from './exercise.mjs';
await exercise(sdk, createRequire(import.meta.url)('${name}'));
`,
  );
  writeFileSync(
    join(folder, 'use.cjs'),
    `const sdk = require('${name}');
Promise.all([import('./exercise.mjs'), import('${name}')]).then(([{ exercise }, other]) => exercise(sdk, other));
`,
  );
}

/**
 * Installs the tarball of the SDK with npm and without a registry: its dependency is packed from the packages that are
 * installed here.
 * @returns {string[]} The folders of all packages that were installed.
 */
export function installSdk(folder, tarball) {
  const ky = pack(join(installed, 'ky'), folder);
  npm(folder, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball, ky);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path !== '');
}

/** Unpacks the tarball of a package with many dependencies, and gives it those that are installed here. */
export function unpack(folder, name, tarball) {
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  symlinkSync(installed, join(target, 'node_modules'), 'junction');
}
