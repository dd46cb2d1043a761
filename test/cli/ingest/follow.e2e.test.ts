import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FIRST_SECOND, logLine } from '../../sdk/support/ingest-server.js';
import { shippingSession, until } from '../support/shipping.js';

const hit = (at: number) => logLine(FIRST_SECOND + at, `/p${at}`);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const log = (from: number, to: number) => range(from, to).map(hit).join('');
const paths = (from: number, to: number) => range(from, to).map((at) => `/p${at}`);

describe('svc ingest --follow', () => {
  const now = shippingSession();
  const follow = (...args: string[]) => now.start('--follow', now.log(), '--flush-every', '0', ...args);
  const arrived = (count: number) => until(() => now.server.stored.size >= count, `${count} hits`);
  const state = () => {
    const folder = join(now.env.XDG_STATE_HOME!, 'svc');
    const [file] = readdirSync(folder);
    return JSON.parse(readFileSync(join(folder, file!), 'utf8')).files[now.log()];
  };

  it('begins at the end if no state is stored, and at the beginning with --from beginning', async () => {
    writeFileSync(now.log(), log(0, 3));
    const run = follow();
    let end = 3;
    // Lines that are written before the start are skipped, so write until one arrives.
    const begun = () => {
      if (now.server.stored.size === 0) appendFileSync(now.log(), hit(end++));
      return now.server.stored.size > 0;
    };
    await until(begun, 'a hit');
    await until(() => now.paths.at(-1) === `/p${end - 1}`, 'the last hit');
    expect(await run.stop()).to.equal(0);
    expect(now.paths).to.deep.equal(paths(end - now.paths.length, end));
    expect(now.paths).not.to.include('/p2');
    const again = follow('--from', 'beginning');
    await arrived(end);
    expect(await again.stop()).to.equal(0);
  });

  it('loses nothing and sends nothing twice across a rotation by rename with writes to the old file', async () => {
    writeFileSync(now.log(), log(0, 3));
    const run = follow('--from', 'beginning');
    await arrived(3);
    renameSync(now.log(), now.log('access.log.1'));
    appendFileSync(now.log('access.log.1'), log(3, 6));
    writeFileSync(now.log(), log(6, 9));
    await new Promise((resolve) => setTimeout(resolve, 600));
    appendFileSync(now.log('access.log.1'), log(9, 10));
    await arrived(10);
    expect(await run.stop()).to.equal(0);
    expect(now.paths.sort()).to.deep.equal(paths(0, 10).sort());
    expect(run.stderr).to.include('10 lines · 10 requests, 10 of AI crawlers · 0 unparsed');
  });

  it('also reads a file that was rotated away before the previous one was finished', async () => {
    writeFileSync(now.log(), log(0, 3));
    const run = follow('--from', 'beginning');
    await arrived(3);
    renameSync(now.log(), now.log('access.log.2'));
    writeFileSync(now.log('access.log.1'), log(3, 6));
    writeFileSync(now.log(), log(6, 9));
    await arrived(9);
    expect(await run.stop()).to.equal(0);
    expect(now.paths).to.deep.equal(paths(0, 9));
  });

  it('continues at the beginning of a truncated log, even if it has grown beyond the old position', async () => {
    writeFileSync(now.log(), log(0, 3));
    const run = follow('--from', 'beginning');
    await arrived(3);
    copyFileSync(now.log(), now.log('access.log.1'));
    truncateSync(now.log());
    appendFileSync(now.log(), log(3, 4));
    await arrived(4);
    writeFileSync(now.log(), log(4, 20));
    await arrived(20);
    expect(await run.stop()).to.equal(0);
    expect(now.paths).to.deep.equal(paths(0, 20));
  });

  it('waits for the rest of a line', async () => {
    writeFileSync(now.log(), '');
    const run = follow('--from', 'beginning');
    appendFileSync(now.log(), hit(0) + hit(1).slice(0, 40));
    await arrived(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    appendFileSync(now.log(), hit(1).slice(40));
    await arrived(2);
    expect(await run.stop()).to.equal(0);
    expect(Buffer.concat(now.server.bodies).toString()).to.equal(log(0, 2));
  });

  it('loses nothing and stores nothing twice after it was killed, also with rotations in between', async () => {
    writeFileSync(now.log(), log(0, 400));
    now.server.delay = 20;
    const killed = follow('--from', 'beginning', '--batch-bytes', '1000');
    await until(() => now.server.bodies.length > 5, 'some batches');
    expect(await killed.stop('SIGKILL')).to.equal(-1);
    // Requests in flight may still arrive.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await until(() => now.server.underWay === 0, 'the last request');
    expect(now.server.stored.size).to.be.below(400);
    const { offset } = state();
    renameSync(now.log(), now.log('access.log.1'));
    renameSync(now.log('access.log.1'), now.log('access.log.2'));
    writeFileSync(now.log('access.log.1'), log(400, 410));
    writeFileSync(now.log(), log(410, 420));
    now.server.delay = 0;
    const before = now.server.bodies.length;
    const run = follow();
    await arrived(420);
    expect(await run.stop()).to.equal(0);
    expect([...new Set(now.paths)].sort()).to.deep.equal(paths(0, 420).sort());
    const resent = Buffer.concat(now.server.bodies.slice(before)).length;
    expect(resent).to.equal(log(0, 420).length - offset);
  });

  it('writes a state with every field after each batch, and continues from it with --from last', async () => {
    writeFileSync(now.log(), log(0, 10));
    expect((await now.ingest(now.log())).code).to.equal(0);
    const { offset, hash, last_second: second, second_offset: start } = state();
    expect([offset, second]).to.deep.equal([log(0, 10).length, FIRST_SECOND + 9]);
    expect([start, hash]).to.deep.equal([log(0, 9).length, hash]);
    expect(hash).to.match(/^[0-9a-f]{64}$/);
    now.server.bodies.length = 0;
    await now.ingest(now.log(), '--from', 'last');
    expect(now.server.bodies).to.have.length(0);
    appendFileSync(now.log(), log(10, 12));
    await now.ingest(now.log(), '--from', 'last');
    expect(now.paths).to.deep.equal(paths(10, 12));
  });

  it('counts a later equal hit in the second where it stopped', async () => {
    writeFileSync(now.log(), hit(0) + hit(1));
    await now.ingest(now.log());
    appendFileSync(now.log(), hit(1));
    expect((await now.ingest(now.log(), '--from', 'last')).stderr).to.include('1 new');
    expect(now.server.stored.size).to.equal(3);
  });

  it('uses the file of --state for several logs', async () => {
    writeFileSync(now.log('a'), log(0, 2));
    writeFileSync(now.log('b'), log(2, 4));
    const file = now.log('state.json');
    await now.ingest(now.log('a'), now.log('b'), '--state', file);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).files)).to.deep.equal([
      now.log('a'),
      now.log('b'),
    ]);
    expect(readdirSync(join(now.home.folder, 'logs')).sort()).to.deep.equal(['a', 'b', 'state.json']);
    await now.ingest(now.log('a'), now.log('b'), '--state', file, '--from', 'last');
    expect(now.server.bodies).to.have.length(2);
  });

  it('follows several logs at once, with at most two requests in flight', async () => {
    const names = ['a', 'b', 'c', 'd'];
    now.server.delay = 100;
    for (const [at, name] of names.entries()) writeFileSync(now.log(name), log(10 * at, 10 * at + 10));
    const files = names.map((name) => now.log(name));
    const run = now.start(
      '--follow',
      '--from',
      'beginning',
      '--flush-every',
      '0',
      '--batch-bytes',
      '300',
      ...files,
    );
    await arrived(40);
    expect(await run.stop()).to.equal(0);
    expect(now.server.mostAtOnce).to.equal(2);
  });
});
