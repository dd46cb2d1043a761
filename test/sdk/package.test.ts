import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { expect } from 'chai';
import { createProject, installSdk, pack, unpack } from '../../scripts/sdk/consumer/project.mjs';
import { packageSdk } from '../../scripts/sdk/package.mjs';
import type * as Sdk from '../../src/sdk/index.js';
import { overviewBody } from './support/rows.js';
import { KEY } from './support/server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
const names = ['answer-visibility-sdk', 'answer-visibility'];

/** A program whose types are checked, with calls that must be refused. */
const TYPED = `
const svc = new SvcClient({ baseUrl: 'https://svc.example', apiKey: 'key' });

export async function read(): Promise<number | null> {
  const overview: Overview = await svc.overview({ brand: 'b' });
  for await (const { engine } of svc.answers.list({ limit: 50 })) {
    const known: EngineId | (string & {}) = engine;
    if (known === 'chatgpt') break;
  }
  await svc.history({ metric: 'visibility', engine: ['chatgpt', 'an-engine-of-next-year'] });
  const { data } = await svc.tools.call('list_fanouts').withResponse();
  const volume: number | null | undefined = data.fanouts[0]?.volume;
  // @ts-expect-error Null means not measured, so it must be handled.
  overview.sentiment_index.toFixed();
  // @ts-expect-error The unpaged read has no limit.
  await svc.sources.top({ limit: 5 });
  // @ts-expect-error A misspelt parameter is refused.
  await svc.overview({ brnad: 'b' });
  // @ts-expect-error all() requires max.
  await svc.answers.list().all();
  return isSvcError(volume) ? null : overview.visibility;
}
`;

/** Compiles src/sdk, and makes both packages of it; that of the server without the server. */
async function buildPackages(folder: string): Promise<Record<string, string>> {
  const server = join(folder, 'server');
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      rootDir: join(root, 'src'),
      outDir: join(server, 'dist'),
      emitDeclarationOnly: true,
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    include: [],
    files: [join(root, 'src', 'sdk', 'index.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout).to.equal('');
  await packageSdk(join(server, 'dist', 'sdk'), join(folder, 'sdk'));
  copyFileSync(join(root, 'package.json'), join(server, 'package.json'));
  mkdirSync(join(server, 'bin'));
  cpSync(join(root, 'bin', 'run.js'), join(server, 'bin', 'run.js'));
  return { 'answer-visibility-sdk': pack('./sdk', folder), 'answer-visibility': pack('./server', folder) };
}

describe('the packed SDK', () => {
  let folder: string;
  let installed: string[];
  const projectOf = (name: string) => join(folder, 'projects', name);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-package-'));
    const tarballs = await buildPackages(folder);
    for (const name of names) createProject(projectOf(name), name);
    installed = installSdk(projectOf('answer-visibility-sdk'), tarballs['answer-visibility-sdk']!);
    unpack(projectOf('answer-visibility'), 'answer-visibility', tarballs['answer-visibility']!);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('installs itself and ky, and nothing else', () => {
    expect(installed).to.deep.equal(['node_modules/answer-visibility-sdk', 'node_modules/ky']);
  });

  it('has the version, the license and the engines of the server, and a README without links to missing files', () => {
    const own = join(projectOf('answer-visibility-sdk'), 'node_modules', 'answer-visibility-sdk');
    const of = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const { version, license, engines, dependencies } = of(root);
    expect(of(own)).to.deep.include({ version, license, engines, dependencies: { ky: dependencies.ky } });
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    expect(readme)
      .to.match(/^# answer-visibility-sdk\n/)
      .and.include('promptState');
    expect(readme).not.to.match(/\]\((?!#|https?:)/);
    for (const name of ['LICENSE', 'LICENSE-ky'])
      expect(readFileSync(join(own, name), 'utf8')).to.match(/MIT/);
  });

  it('has a docstring for every exported symbol', () => {
    const dist = join(projectOf('answer-visibility-sdk'), 'node_modules/answer-visibility-sdk/dist');
    const index = readFileSync(join(dist, 'index.d.ts'), 'utf8');
    const exported = [...index.matchAll(/^export (?:type )?\{(.*)\} from '(.*)\.js';$/gm)].flatMap(
      ([, symbols, module]) =>
        symbols!.split(',').map((symbol) => [symbol.trim().split(' ').at(-1)!, module!]),
    );
    const bare = exported.filter(([symbol, module]) => {
      const text = readFileSync(join(dist, `${module}.d.ts`), 'utf8');
      return !new RegExp(`\\*/\\nexport [a-z ]*\\b${symbol}\\b`).test(text);
    });
    expect(exported.map(([symbol]) => symbol)).to.include.members(['SvcClient', 'logLevels', 'PointState']);
    expect(bare.filter(([symbol]) => symbol !== '')).to.deep.equal([]);
  });

  for (const name of names) {
    for (const program of ['use.mjs', 'use.cjs']) {
      it(`${name} reads, pages, ingests and refuses in ${program}`, () => {
        const { stdout, stderr } = spawnSync(process.execPath, [program], {
          cwd: projectOf(name),
          encoding: 'utf8',
        });
        expect(stderr + stdout).to.equal('ok\n');
      });
    }
  }

  for (const [moduleResolution, module] of [
    ['node16', 'node16'],
    ['bundler', 'preserve'],
  ]) {
    it(`has types under moduleResolution ${moduleResolution}, without those of Node and other packages`, () => {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        module,
        moduleResolution,
      };
      const files = names.flatMap((name) =>
        ['mts', 'cts'].map((extension) => {
          const file = join(projectOf(name), `typed.${extension}`);
          const head = `import { type EngineId, isSvcError, type Overview, SvcClient } from '${name}';\n`;
          writeFileSync(file, head + TYPED);
          return file;
        }),
      );
      writeFileSync(
        join(folder, 'projects', 'tsconfig.json'),
        JSON.stringify({ compilerOptions, include: [], files }),
      );
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(folder, 'projects')], {
        encoding: 'utf8',
      });
      expect(stdout).to.equal('');
    });
  }

  it('works as CommonJS in a host without import(), as Jest is one', async () => {
    const path = join(
      projectOf('answer-visibility-sdk'),
      'node_modules/answer-visibility-sdk/dist/index.cjs',
    );
    const module = { exports: {} as typeof Sdk };
    const load = vm.compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require']);
    load(module, module.exports, () => expect.fail('nothing is required'));
    const fetch = async () => Response.json(overviewBody);
    const svc = new module.exports.SvcClient({ baseUrl: 'http://svc.example', apiKey: KEY, fetch });
    expect(await svc.overview()).to.deep.equal(overviewBody);
  });
});
