import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { bundleSdk } from '../../scripts/sdk/javascript.mjs';
import type * as Sdk from '../../src/sdk/index.js';
import { overviewBody } from './support/rows.js';
import { KEY, startServer } from './support/server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'browser',
  write: false,
  metafile: true,
} as const;

/** The module of the package for browsers, in a bundle as an application makes it. */
async function bundleForBrowsers(format: 'esm' | 'iife') {
  const { files } = await bundleSdk(root, ['browser']);
  const stdin = { contents: files['browser.js']!, resolveDir: root };
  return build({ ...options, stdin, format, globalName: 'sdk' });
}

/** The globals of browsers and workers, without those of Node. */
const webGlobals = () => {
  const { AbortController, AbortSignal, Headers, Request, Response, URL, URLSearchParams } = globalThis;
  const { clearTimeout, fetch, performance, setTimeout, TextEncoder } = globalThis;
  const classes = { AbortController, AbortSignal, Headers, Request, Response, URL, URLSearchParams };
  return { ...classes, clearTimeout, fetch, performance, setTimeout, TextEncoder };
};

describe('the SDK as a bundle', () => {
  it('is at most 12.5 kB, minified and gzipped', async () => {
    const { outputFiles } = await bundleForBrowsers('esm');
    expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).to.be.at.most(12_500);
  });

  it('contains only ky and the SDK, and imports nothing', async () => {
    const { metafile } = await build({ ...options, entryPoints: ['src/sdk/index.ts'], format: 'esm' });
    const foreign = Object.keys(metafile.inputs).filter(
      (path) => !path.startsWith('node_modules/ky/') && !path.startsWith('src/sdk/'),
    );
    expect(foreign).to.deep.equal([]);
    for (const { outputs } of [metafile, (await bundleForBrowsers('esm')).metafile]) {
      expect(Object.values(outputs).flatMap((output) => output.imports)).to.deep.equal([]);
    }
  });

  it('works without process and modules of Node', async () => {
    const { outputFiles } = await bundleForBrowsers('iife');
    const context = vm.createContext(webGlobals());
    vm.runInContext(outputFiles[0]!.text, context);
    expect(vm.runInContext('typeof process', context)).to.equal('undefined');
    const { SvcClient, isSvcError } = vm.runInContext('sdk', context) as typeof Sdk;
    const server = await startServer();
    try {
      const svc = new SvcClient({ baseUrl: server.url, apiKey: KEY });
      expect(await svc.overview()).to.include({ visibility: overviewBody.visibility });
      expect(await svc.prompts.list().all({ max: 1000 })).to.have.length(450);
      const stranger = new SvcClient({ baseUrl: server.url, apiKey: 'svc_wrong' });
      expect(isSvcError(await stranger.overview().catch((error: unknown) => error))).to.equal(true);
    } finally {
      await server.close();
    }
  });
});

describe('an import of the SDK', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
    for (const [name, text] of Object.entries((await bundleSdk(root, ['index'])).files)) {
      writeFileSync(join(folder, name), text);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    file = join(folder, 'index.js');
  });

  after(() => rmSync(folder, { recursive: true }));

  /** All modules of Node that a process has loaded after it imported the file. */
  function loadedBy(imported: string): string[] {
    const script = `import(${JSON.stringify(imported)}).then(() => console.log(process.moduleLoadList.join('\\n')))`;
    return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout.trim().split('\n');
  }

  it('loads no more modules of Node than an empty module; the first request loads fetch', () => {
    const empty = join(folder, 'empty.js');
    writeFileSync(empty, '');
    const bare = new Set(loadedBy(empty));
    expect([...bare].filter((module) => module.includes('esm/loader'))).not.to.deep.equal([]);
    expect(loadedBy(file).filter((module) => !bare.has(module))).to.deep.equal([]);
  });
});
