/**
 * Replaces the compiled command line in dist/cli by a code-split bundle: one file per command and shared chunks. Loading oclif
 * as hundreds of modules takes longer than most commands do. The server stays as it was compiled and is loaded by the
 * commands that need it, as are all packages but those named here. Another folder than dist/cli may be given.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'cli');
const target = process.argv[2] ? resolve(process.argv[2]) : join(root, 'dist', 'cli');
const bundled = ['@oclif/core', 'cli-table3', 'csv-stringify', 'fastest-levenshtein', 'yocto-spinner'];

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packages = Object.keys(dependencies).filter((name) => !bundled.includes(name) && name !== 'ky');
const filesIn = (folder) =>
  readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Stands before the path of a server module until it is known which file imports it. */
const SERVER = 'svc-server:';
const serverStaysOutside = {
  name: 'server-stays-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/(.*\/)?server\// }, ({ path, resolveDir }) => {
      const module = relative(join(root, 'src'), join(resolveDir, path));
      return module.startsWith(`server${sep}`) ? { path: SERVER + module, external: true } : undefined;
    });
  },
};

/** Modules that oclif requires at once and a command line seldom uses: they are loaded when they are first touched. */
const seldomUsed = {
  name: 'seldom-used',
  setup({ onResolve, onLoad, resolve }) {
    const filter = /^(minimatch|tinyglobby|lilconfig|ejs|node:child_process|node:perf_hooks|node:readline)$/;
    onResolve({ filter }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === seldomUsed || rest.kind !== 'require-call') return undefined;
      const real = await resolve(path, { ...rest, pluginData: seldomUsed });
      return { path: real.path, namespace: 'seldom-used' };
    });
    onLoad({ filter: /./, namespace: 'seldom-used' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, {
        get: (_, name) => (name === '__esModule' ? undefined : require(${JSON.stringify(path)})[name]),
      });`,
      resolveDir: root,
    }));
  },
};

/** Of wsl-utils oclif asks at every start whether this is WSL; the rest is for Windows and brings child processes along. */
const wslIsAsked = {
  name: 'wsl-is-asked',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^wsl-utils$/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === wslIsAsked) return undefined;
      const real = await resolve(path, { ...rest, pluginData: wslIsAsked });
      return { path: real.path, namespace: 'wsl-is-asked' };
    });
    onLoad({ filter: /./, namespace: 'wsl-is-asked' }, ({ path }) => ({
      contents: `export { default as isWsl } from 'is-wsl';
export const powerShellPath = async () => (await import(${JSON.stringify(path)})).powerShellPath();`,
      resolveDir: dirname(path),
    }));
  },
};

/** The command line gives the SDK a fetch of its own, so of ky only the call is left; ky itself would load Node's. */
const kyIsBare = {
  name: 'ky-is-bare',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ky$/ }, ({ path }) => ({ path, namespace: 'ky-is-bare' }));
    onLoad({ filter: /./, namespace: 'ky-is-bare' }, () => ({
      contents: 'export default (url, { fetch, ...options }) => fetch(url, options);',
    }));
  },
};

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    join(source, 'main.ts'),
    join(source, 'help.ts'),
    ...filesIn('commands'),
    ...filesIn('hooks'),
  ],
  outbase: source,
  outdir: target,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  write: false,
  metafile: true,
  minify: true,
  legalComments: 'eof',
  external: [...packages, 'typescript', 'ts-node', 'tsx'],
  // oclif is CommonJS and asks for what modules do not have.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';import{fileURLToPath as __fileOf}from'node:url';import{dirname as __dirOf}from'node:path';const require=__createRequire(import.meta.url),__filename=__fileOf(import.meta.url),__dirname=__dirOf(__filename);",
  },
  plugins: [serverStaysOutside, seldomUsed, wslIsAsked, kyIsBare],
  logLevel: 'warning',
});

const swallowed = Object.keys(metafile.inputs).filter((input) => input.startsWith('src/server/'));
if (swallowed.length > 0) {
  console.error(`The command line must load the server, not contain it: ${swallowed.join(', ')}`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
for (const { path, text } of outputFiles) {
  const fromHere = relative(dirname(path), dirname(target)).replaceAll(sep, '/');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replaceAll(SERVER, `${fromHere}/`));
}
