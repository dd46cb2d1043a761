import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { builtEntry } from '../support/built.js';
import { type Environment, start } from '../support/run.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';

/** Runs a command as a process of its own until it ends by itself, or by `deadlineMs`, which fails the test. */
async function ran(args: string[], env: Environment, deadlineMs = 120_000) {
  const child = start(args, env);
  const cut = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  clearTimeout(cut);
  return { stdout, stderr, code, signal };
}

/** A process that writes into the database until Postgres needs another file for its log, and is then killed. */
const CRASH = `
import { mkdirSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
const [folder] = process.argv.slice(1);
mkdirSync(folder + '/pg_wal/xlogtemp.42');
const postgres = await PGlite.create(folder);
await postgres.exec("create table filled as select repeat('x', 1000) || n as t from generate_series(1, 40000) n").catch(() => {});
process.kill(process.pid, 'SIGKILL');
`;

describe('a server whose database cannot be opened', () => {
  let folder: string;
  let env: Environment;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-open-'));
    env = { SVC_DATA_DIR: folder, XDG_CONFIG_HOME: folder, API_ACCESS_KEY: OPERATOR_KEY };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('ends with the reason, as every command does, if the recovery of the embedded database fails', async () => {
    expect((await ran(['admin', 'migrate'], env)).code).to.equal(0);
    const data = join(folder, 'data', 'postgres');
    const crashed = spawnSync(process.execPath, ['--input-type=module', '-e', CRASH, data]);
    expect([crashed.signal, String(crashed.stderr)]).to.deep.equal(['SIGKILL', '']);
    for (const args of [
      ['serve', '--port', '0'],
      ['admin', 'brands', 'list'],
    ]) {
      const { code, signal, stderr } = await ran(args, env);
      expect([code, signal], args.join(' ')).to.deep.equal([1, null]);
      expect(stderr.replaceAll(/\s+/g, ' ')).to.include(
        `Error: The embedded database in ${join(folder, 'data')} cannot be opened: could not create file "pg_wal/xlogtemp.42": File exists. Its disk has `,
      );
    }
    rmdirSync(join(data, 'pg_wal', 'xlogtemp.42'));
    expect((await ran(['admin', 'brands', 'list'], env)).code).to.equal(0);
  });

  it('ends with 7 and names the free space if the disk is full, and has all data when there is space', async function () {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mounted = (options: string) =>
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk]).status === 0;
    // Only root of a machine may.
    if (process.platform !== 'linux' || !mounted('size=400m,mode=700')) this.skip();
    try {
      const onDisk = { ...env, SVC_DATA_DIR: disk };
      expect((await ran(['admin', 'migrate'], onDisk)).code).to.equal(0);
      const small = join(folder, 'small.ndjson');
      writeFileSync(small, dataset(2));
      expect((await ran(['admin', 'import', '-q', small], onDisk)).code).to.equal(0);
      const { blocks, bfree, bsize } = statfsSync(disk);
      const size = (blocks - bfree) * bsize + 6 * 1024 ** 2;
      expect(mounted(`remount,size=${size}`)).to.equal(true);
      const large = join(folder, 'large.ndjson');
      writeFileSync(large, dataset(8000));
      expect((await ran(['admin', 'import', '-q', large], onDisk)).code).to.equal(7);
      for (const args of [
        ['serve', '--port', '0'],
        ['admin', 'brands', 'list'],
      ]) {
        const { code, stderr } = await ran(args, onDisk);
        expect(code, args.join(' ')).to.equal(7);
        expect(stderr.replaceAll(/\s+/g, ' '))
          .to.include(
            `The embedded database in ${join(disk, 'data')} cannot be opened: no space is left on its disk.`,
          )
          .and.match(/Its disk has \d+ MiB free/);
      }
      expect(mounted('remount,size=400m')).to.equal(true);
      const { code, stdout } = await ran(['admin', 'brands', 'list', '--json'], onDisk);
      expect([code, JSON.parse(stdout).brands.length]).to.deep.equal([0, 1]);
      expect((await ran(['admin', 'import', '-q', large], onDisk)).code).to.equal(0);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  // The first process of a container has no default actions for signals.
  for (const isFirst of [false, true])
    it(`ends at the first signal while it opens the database${isFirst ? ', in a container too' : ''}`, async function () {
      const alone = ['--pid', '--fork', '--mount-proc', '--kill-child'];
      if (isFirst && spawnSync('unshare', [...alone, 'true']).status !== 0) this.skip();
      // A Postgres that accepts a connection and never answers.
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const url = `postgres://u@127.0.0.1:${(silent.address() as AddressInfo).port}/any`;
      const command = [process.execPath, builtEntry(), 'serve', '--port', '0'];
      const [program = '', ...args] = isFirst ? ['unshare', ...alone, ...command] : command;
      const child = spawn(program, args, {
        env: { ...process.env, ...env, DATABASE_URL: url },
        stdio: 'ignore',
      });
      const ended = once(child, 'close');
      const [socket] = await once(silent, 'connection');
      const pid = isFirst ? childOf(child.pid!) : child.pid!;
      process.kill(pid, 'SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), 120_000);
      const [code, signal] = await ended;
      clearTimeout(cut);
      socket.destroy();
      silent.close();
      expect([code, signal]).to.deep.equal(isFirst ? [143, null] : [null, 'SIGTERM']);
    });
});

const childOf = (pid: number): number => Number(spawnSync('pgrep', ['-P', String(pid)]).stdout);

function dataset(runs: number): string {
  const records: object[] = [
    { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
    {
      type: 'brand',
      id: 'shoes',
      workspace: 'acme',
      name: 'Fleetfoot',
      domain: 'fleetfoot.example',
      created_at: '2026-01-05T09:00:00Z',
    },
    { type: 'prompt', id: 'p1', brand: 'shoes', text: 'Which running shoes last longest?' },
  ];
  for (let at = 0; at < runs; at++)
    records.push({
      type: 'run',
      id: `r${at}`,
      brand: 'shoes',
      prompt: 'p1',
      engine: 'perplexity',
      region: 'US',
      collected_at: `2026-11-${String(1 + (at % 20)).padStart(2, '0')}T08:00:00Z`,
      answer: `Fleetfoot lasts ${at} years. `.repeat(30),
      mentions: [{ name: 'Fleetfoot', order: 1 }],
      citations: [{ url: `https://page.example/${at}`, title: 'Shoes' }],
    });
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
