/** Bundles src/sdk for every runtime. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const kyOfBrowsers = {
  name: 'ky-of-browsers',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/ky\.js$/ }, ({ resolveDir }) => ({ path: join(resolveDir, 'ky.browser.ts') }));
  },
};

/**
 * Each entry point by its options of esbuild. ky runs code of some 20 ms when it is loaded in Node, so the SDK loads it
 * with the first request. Browsers have no such cost and would need a second file for it, so ky is imported statically
 * there. ky is an ES module: a CommonJS module would have to load it by import(), which does not work in every host of
 * CommonJS, for example not in Jest. So the CommonJS module contains ky.
 */
const entries = {
  index: { format: 'esm', packages: 'external' },
  browser: { format: 'esm', packages: 'external', platform: 'browser', plugins: [kyOfBrowsers] },
  common: { format: 'cjs', outExtension: { '.js': '.cjs' }, entryNames: 'index' },
};

/**
 * @param {string} root The folder of the project.
 * @param {(keyof typeof entries)[]} names The entry points to make.
 * @returns The texts of the modules by file name, and the names of the packages that they import.
 */
export async function bundleSdk(root, names = Object.keys(entries)) {
  const results = await Promise.all(
    names.map((name) =>
      build({
        absWorkingDir: root,
        entryPoints: { [name]: 'src/sdk/index.ts' },
        outdir: 'out',
        bundle: true,
        platform: 'neutral',
        mainFields: ['module', 'main'],
        target: 'es2022',
        legalComments: 'inline',
        // Constants of another module are inlined only here: an application that bundles the module sees variables.
        minifySyntax: true,
        write: false,
        metafile: true,
        logLevel: 'warning',
        ...entries[name],
      }),
    ),
  );
  const outputs = results.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const imports = outputs.flatMap((output) => output.imports).filter(({ external }) => external);
  return {
    files: Object.fromEntries(
      results.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])),
    ),
    packages: [...new Set(imports.map(({ path }) => path))],
  };
}
