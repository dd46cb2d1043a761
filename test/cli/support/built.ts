/** The command line as it is installed: starting it takes a fraction of the processor time that starting the sources takes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { isBuilt } from '../../../scripts/support/derived.mjs';

/** Options of Node: servers of tests end before optimised WebAssembly pays. A start takes 2.8 s of processor time instead of 5.0. */
export const SHORT_LIVED = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

const project = fileURLToPath(new URL('../../../', import.meta.url));
let entry: string | undefined;

/** bin/run.js of this folder if dist is newer than the sources, else of a temporary one, built at the first call. */
export function builtEntry(): string {
  entry ??= join(isBuilt() ? project : build(), 'bin', 'run.js');
  return entry;
}

/** The folder of the compiled modules that the entry loads. */
export const builtModules = (): string => join(dirname(dirname(builtEntry())), 'dist');

/** A folder like an installed package, but without a manifest: oclif loads every command for each command line. */
function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, ['scripts/bundle-cli.mjs', join(folder, 'dist/cli')], { cwd: project });
  buildServer(join(folder, 'dist'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  for (const path of ['package.json', 'bin/run.js']) cpSync(join(project, path), join(folder, path));
  return folder;
}

/** Every module but those of the command line, one by one, as tsc compiles them, data, and the stylesheet of the page. */
function buildServer(folder: string): void {
  const source = join(project, 'src');
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('cli'))
    .map((path) => join(source, path));
  buildSync({ entryPoints: modules, outbase: source, outdir: folder, format: 'esm', target: 'node20.19' });
  const data = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.json'),
  );
  for (const path of ['server/web/page/style.css', ...data]) cpSync(join(source, path), join(folder, path));
}
