/** Makes the package answer-visibility-sdk. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationsOf } from './declarations.mjs';
import { bundleSdk } from './javascript.mjs';
import { readmeOf } from './readme.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name) => readFileSync(join(root, name), 'utf8');

/**
 * Replaces the modules that tsc compiled from src/sdk by those that both packages publish: an ES module, one for
 * browsers and one of CommonJS, with declarations. Makes the package of the SDK alone of them.
 * @param {string} built The compiled src/sdk, where the package of the server has it too.
 * @param {string} target The folder of the package of the SDK.
 */
export async function packageSdk(built, target) {
  const { files, packages } = await bundleSdk(root);
  const declarations = declarationsOf(built);
  rmSync(built, { recursive: true });
  write(built, { ...files, ...declarations });

  rmSync(target, { recursive: true, force: true });
  write(target, {
    'package.json': `${JSON.stringify(manifestOf(JSON.parse(read('package.json')), packages), null, 2)}\n`,
    'README.md': readmeOf(read('docs/sdk.md')),
  });
  cpSync(built, join(target, 'dist'), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  // The CommonJS module contains these packages.
  for (const name of packages) {
    copyFileSync(join(root, 'node_modules', name, 'license'), join(target, `LICENSE-${name}`));
  }
}

/** The package.json of the package that has only the SDK, derived from that of the server. */
function manifestOf(
  { name, version, license, type, engines, exports, sideEffects, dependencies, ...given },
  packages,
) {
  // A release knows its repository (scripts/set-repository.mjs).
  const { keywords, repository, homepage, bugs } = given;
  return {
    name: `${name}-sdk`,
    version,
    description: 'Typed client of svc: how a brand appears in the answers of AI engines',
    keywords,
    license,
    repository,
    homepage,
    bugs,
    type,
    engines,
    // For tools that do not read exports.
    main: './dist/index.cjs',
    types: './dist/index.d.cts',
    exports: JSON.parse(JSON.stringify(exports).replaceAll('./dist/sdk/', './dist/')),
    files: ['dist', 'LICENSE-*'],
    sideEffects,
    dependencies: Object.fromEntries(packages.map((each) => [each, dependencies[each]])),
  };
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
