import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack } from '../../../scripts/sdk/consumer/project.mjs';
import { packageSdk } from '../../../scripts/sdk/package.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

/** A program whose types are checked, with calls that must be refused. */
export const TYPED = `
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

/** Runs tsc on the project of a folder, and returns its errors. */
export const compile = (folder: string): string =>
  spawnSync(process.execPath, [tsc, '-p', folder, '--singleThreaded'], { encoding: 'utf8' }).stdout;

/** Compiles src/sdk, and makes both packages of it; that of the server without the server. */
export async function buildPackages(folder: string): Promise<Record<string, string>> {
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
  const errors = compile(folder);
  if (errors) throw new Error(errors);
  await packageSdk(join(server, 'dist', 'sdk'), join(folder, 'sdk'));
  copyFileSync(join(root, 'package.json'), join(server, 'package.json'));
  mkdirSync(join(server, 'bin'));
  cpSync(join(root, 'bin', 'run.js'), join(server, 'bin', 'run.js'));
  return { 'answer-visibility-sdk': pack('./sdk', folder), 'answer-visibility': pack('./server', folder) };
}
