/** What is made from the sources and is not committed: files that the sources import, and dist. Both are made again when older. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const EXAMPLES = 'src/server/web/openapi/generated/examples.ts';
/** Sources that `scripts/generate/generate.ts` writes. */
const GENERATED = ['src/sdk/types.ts', 'src/sdk/client.ts', EXAMPLES];
/** What they are made from. Answers of the demo change with other sources too; `npm run generate` writes all of them. */
const ORIGINS = ['src/contract', 'src/demo', 'scripts/generate'];

/** The newest change below a path, in ms; the time of a folder changes when files are removed. */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const newestOf = (paths) => Math.max(...paths.map((path) => newest(join(root, path))));
const changedAt = (path) => (existsSync(join(root, path)) ? statSync(join(root, path)).mtimeMs : 0);

/** Writes the generated sources unless they are newer than what they are made from. */
export function generateSources() {
  if (Math.min(...GENERATED.map(changedAt)) >= newestOf(ORIGINS)) return;
  const examples = join(root, EXAMPLES);
  if (!existsSync(examples)) {
    // The server that answers the examples imports them. The time says that they are still to be made.
    writeFileSync(examples, 'export const examples = {};\n');
    utimesSync(examples, 0, 0);
  }
  const generate = ['--import', './scripts/support/typescript.mjs', 'scripts/generate/generate.ts'];
  const { status } = spawnSync(process.execPath, [...generate, ...GENERATED], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** Whether dist is complete and newer than its sources. */
export function isBuilt() {
  const built = changedAt(join('dist', '.built'));
  return built > 0 && newestOf(['src', 'scripts', 'package.json', 'tsconfig.json']) <= built;
}
