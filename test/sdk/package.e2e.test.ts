import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { expect } from 'chai';
import { createProject, installSdk, unpack } from '../../scripts/sdk/consumer/project.mjs';
import type * as Sdk from '../../src/sdk/index.js';
import { buildPackages, compile, root, TYPED } from './support/packages.js';
import { overviewBody } from './support/rows.js';
import { KEY } from './support/server.js';

const names = ['answer-visibility-sdk', 'answer-visibility'];

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

  it('has no typed array with a type parameter, which TypeScript before 5.7 does not have', () => {
    const dist = join(projectOf('answer-visibility-sdk'), 'node_modules/answer-visibility-sdk/dist');
    const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.d\.c?ts$/.test(name),
    );
    expect(declarations).to.include.members(['index.d.ts', 'index.d.cts', 'ingest/ingest.d.cts']);
    const newer = declarations.filter((name) =>
      /Array(?:BufferView)?<Array/.test(readFileSync(join(dist, name), 'utf8')),
    );
    expect(newer).to.deep.equal([]);
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
      expect(compile(join(folder, 'projects'))).to.equal('');
    });
  }

  it('works as CommonJS in a host without import(), such as Jest', async () => {
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
