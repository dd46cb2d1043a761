/**
 * Replaces the compiled command line in dist/cli by a code-split bundle: one file per command and shared chunks. Without it
 * +43 % processor time per read, because oclif is hundreds of modules. The server stays as it was compiled and is loaded by the
 * commands that need it, as are all packages but those named here. Another folder than dist/cli may be given.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'cli');
const target = process.argv[2] ? resolve(process.argv[2]) : join(root, 'dist', 'cli');
const bundled = ['@bomb.sh/tab', '@oclif/core', 'cli-table3', 'fastest-levenshtein', 'ky', 'yocto-spinner'];

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packages = Object.keys(dependencies).filter((name) => !bundled.includes(name));
const filesIn = (folder) =>
  readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Folders outside the bundle: they stay as compiled, and are loaded when a command needs them. */
const outside = ['server', 'demo'];
/** Prefix of the path of such a module until the importing file is known. */
const OUTSIDE = 'svc-outside:';
const serverStaysOutside = {
  name: 'server-stays-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const module = relative(join(root, 'src'), join(resolveDir, path));
      return outside.includes(module.split(sep)[0]) ? { path: OUTSIDE + module, external: true } : undefined;
    });
  },
};

const options = {
  absWorkingDir: root,
  outbase: source,
  outdir: target,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  write: false,
  metafile: true,
  minify: true,
  legalComments: 'eof',
  external: [...packages, 'typescript', 'ts-node'],
  // oclif is CommonJS and uses variables that ES modules do not have.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';import{fileURLToPath as __fileOf}from'node:url';import{dirname as __dirOf}from'node:path';const require=__createRequire(import.meta.url),__filename=__fileOf(import.meta.url),__dirname=__dirOf(__filename);",
  },
  plugins: [serverStaysOutside],
  logLevel: 'warning',
};

const { outputFiles, metafile } = await build({
  ...options,
  entryPoints: [join(source, 'main.ts'), ...filesIn('commands')],
  splitting: true,
});
// One file each, because shells and people wait for them, and opening chunks takes most of their time.
const alone = await build({
  ...options,
  entryPoints: [join(source, 'completion', 'complete.ts'), join(source, 'root-help.ts')],
  banner: {},
});

const swallowed = Object.keys(metafile.inputs).filter((input) =>
  outside.some((room) => input.startsWith(`src/${room}/`)),
);
if (swallowed.length > 0) {
  console.error(`The command line must load the server, not contain it: ${swallowed.join(', ')}`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
for (const { path, text } of [...outputFiles, ...alone.outputFiles]) {
  const fromHere = relative(dirname(path), dirname(target)).replaceAll(sep, '/');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replaceAll(OUTSIDE, `${fromHere}/`));
}
