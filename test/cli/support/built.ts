/**
 * The command line as it is built, in a temporary folder: starting it takes a fraction of the processor time that
 * starting the sources takes.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const project = fileURLToPath(new URL('../../../', import.meta.url));
let entry: string | undefined;

/** The module to run; built at the first call. */
export function builtEntry(): string {
  entry ??= build();
  return entry;
}

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, ['scripts/bundle-cli.mjs', join(folder, 'cli')], { cwd: project });
  buildServer(folder);
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const run = join(folder, 'run.js');
  writeFileSync(
    run,
    `import { readFileSync } from 'node:fs';
import { main } from './cli/main.js';
const pjson = JSON.parse(readFileSync(${JSON.stringify(join(project, 'package.json'))}, 'utf8'));
await main(process.argv.slice(2), { root: ${JSON.stringify(folder)}, folder: './cli', pjson });
`,
  );
  return run;
}

/** Every module but those of the command line, one by one, as tsc compiles them, and the stylesheet of the page. */
function buildServer(folder: string): void {
  const source = join(project, 'src');
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('cli'))
    .map((path) => join(source, path));
  buildSync({ entryPoints: modules, outbase: source, outdir: folder, format: 'esm', target: 'node20.19' });
  cpSync(join(source, 'server/page/style'), join(folder, 'server/page/style'), { recursive: true });
}
