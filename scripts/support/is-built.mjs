import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The newest change below a path, in ms; the time of a folder changes when files are removed. */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Whether dist is complete and newer than its sources. */
export function isBuilt() {
  const stamp = join(root, 'dist', '.built');
  if (!existsSync(stamp)) return false;
  const sources = ['src', 'scripts', 'package.json', 'tsconfig.json'];
  return Math.max(...sources.map((source) => newest(join(root, source)))) <= statSync(stamp).mtimeMs;
}
