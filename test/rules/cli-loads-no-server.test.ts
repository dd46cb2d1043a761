import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type FakeServer, KEYS, startFakeServer } from '../cli/support/fake-server.js';
import { Home } from '../cli/support/run.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const serverOnly = [
  'koa',
  '@koa/router',
  'knex',
  'pg',
  '@electric-sql/pglite',
  '@modelcontextprotocol/sdk',
  'zod',
  'pino',
];

/** A module that is loaded when the command is already running. */
const lastOf = ([name]: readonly string[]) => own[name!] ?? '/ky/distribution/';
/** The commands that send no request here. */
const own: { readonly [name: string]: string } = { '--help': '/src/cli/help.ts', mcp: '/src/cli/mcp/' };

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
    const env = { ...process.env, ...home.env, SVC_URL: server.url, SVC_API_KEY: KEYS.full };
    const argv = ['--import', path('../cli/support/module-log.mjs'), path('../../bin/dev.js'), ...args];
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    return (await text(child.stdio[3] as NodeJS.ReadableStream)).trimEnd().split('\n');
  }

  for (const args of [
    ['overview', '--quiet'],
    ['answers', '--limit', '5', '--quiet'],
    ['fanouts', '--quiet'],
    ['tools', 'list', '--quiet'],
    ['mcp'],
    ['mcp', 'config', 'cursor', '--quiet'],
    ['whoami'],
    ['--help'],
  ]) {
    it(`svc ${args.join(' ')}`, async () => {
      const modules = await modulesOf(...args);
      // The log sees modules of both kinds, and late ones.
      for (const seen of ['/src/cli/main.ts', '/@oclif/core/lib/command.js', lastOf(args)]) {
        expect(
          modules.some((module) => module.includes(seen)),
          seen,
        ).to.equal(true);
      }
      const forbidden = modules.filter(
        (module) =>
          module.includes('/src/server/') ||
          module.includes('/src/demo/') ||
          serverOnly.some((name) => module.includes(`/node_modules/${name}/`)),
      );
      expect(forbidden).to.deep.equal([]);
    });
  }
});
