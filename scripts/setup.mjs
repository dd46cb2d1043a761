/**
 * Prepares a clone: installs the packages of package-lock.json when node_modules differs from it, generates the sources that
 * are not committed and, with --build, builds when dist is older than its sources. Node's own modules only, because nothing is installed yet.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateSources, isBuilt } from './support/derived.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MINIMUM_NODE = [20, 19];

function fail(message) {
  console.error(message);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  fail(`svc needs Node ${MINIMUM_NODE.join('.')} or newer; this is Node ${process.versions.node}.`);
}

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

/** Whether every package of the lock file is installed in its version; binaries of other platforms may be absent. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return present[path] ? present[path].version === version : optional === true;
  });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (error) fail(`${command} could not be started: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.join(' ')} failed`);
}

checkNode();
if (!isInstalled()) {
  console.error('Installing dependencies (npm ci) …');
  run('npm', ['ci', '--no-audit', '--no-fund']);
}
generateSources();
if (process.argv.includes('--build') && !isBuilt()) {
  console.error('Building …');
  run(process.execPath, ['scripts/build.mjs']);
}
