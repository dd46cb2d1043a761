import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { builtEntry, builtModules } from '../cli/support/built.js';
import { type FakeServer, KEYS, startFakeServer } from '../cli/support/fake-server.js';
import { Home } from '../cli/support/run.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const serverOnly = [
  'koa',
  '@koa/router',
  'knex',
  'pg',
  '@electric-sql/pglite',
  'oidc-provider',
  'zod',
  'pino',
];

describe('rule: a command that only talks to the API loads nothing of the server', () => {
  let server: FakeServer;
  const home = new Home();
  before(async () => {
    server = await startFakeServer();
  });
  after(async () => {
    home.remove();
    await server.close();
  });

  /** Every module that the command loads, as file URLs and paths. */
  async function modulesOf(...args: string[]): Promise<string[]> {
    const env = {
      ...process.env,
      ...home.env,
      SVC_URL: server.url,
      SVC_API_KEY: KEYS.full,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    };
    const argv = ['--import', path('../cli/support/module-log.mjs'), builtEntry(), ...args];
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    return (await text(child.stdio[3] as NodeJS.ReadableStream)).trimEnd().split('\n');
  }

  const isOfServer = (module: string) =>
    ['server', 'demo'].some((folder) => module.includes(join(builtModules(), folder, '/'))) ||
    serverOnly.some((name) => module.includes(`/node_modules/${name}/`));

  it('the log sees modules and packages of the server where a command loads them', async () => {
    const modules = (await modulesOf('admin', 'workspaces', 'list')).filter(isOfServer);
    expect(modules.some((module) => module.includes('/server/accounts/keys.js'))).to.equal(true);
    expect(modules.some((module) => module.includes('/node_modules/knex/'))).to.equal(true);
  });

  for (const { args, module } of [
    { args: ['overview', '--quiet'], module: '/cli/commands/overview.js' },
    { args: ['answers', '--limit', '5', '--quiet'], module: '/cli/commands/answers.js' },
    { args: ['fanouts', '--quiet'], module: '/cli/commands/fanouts.js' },
    { args: ['tools', 'list', '--quiet'], module: '/cli/commands/tools/list.js' },
    { args: ['mcp'], module: '/cli/commands/mcp/index.js' },
    { args: ['mcp', 'config', 'cursor', '--quiet'], module: '/cli/commands/mcp/config.js' },
    { args: ['whoami'], module: '/cli/commands/whoami.js' },
    { args: ['doctor'], module: '/cli/commands/doctor.js' },
    { args: ['losing', '--quiet'], module: '/cli/commands/losing.js' },
    { args: ['report'], module: '/cli/commands/report.js' },
    { args: ['completion', 'bash'], module: '/cli/commands/completion.js' },
    { args: ['overview', '--help'], module: '/cli/main.js' },
  ]) {
    it(`svc ${args.join(' ')}`, async () => {
      const modules = await modulesOf(...args);
      for (const seen of ['/cli/main.js', module]) {
        expect(
          modules.some((name) => name.endsWith(seen)),
          seen,
        ).to.equal(true);
      }
      expect(modules.filter(isOfServer)).to.deep.equal([]);
    });
  }

  it('svc --help loads neither oclif nor a command', async function () {
    // Without a manifest oclif has to find the commands.
    if (!existsSync(join(builtModules(), '..', 'oclif.manifest.json'))) return this.skip();
    const modules = await modulesOf('--help');
    const isLoaded = (part: string) => modules.some((module) => module.includes(part));
    expect(isLoaded('/cli/root-help.js')).to.equal(true);
    for (const part of ['/cli/main.js', '/cli/commands/']) expect(isLoaded(part), part).to.equal(false);
  });
});
