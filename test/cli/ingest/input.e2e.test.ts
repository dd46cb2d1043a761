import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { FIRST_SECOND, logLine } from '../../sdk/support/ingest-server.js';
import { shippingSession } from '../support/shipping.js';

const hit = (at: number) => logLine(FIRST_SECOND + at, `/p${at}`);
const log = (count: number) => Array.from({ length: count }, (_, at) => hit(at)).join('');

describe('svc ingest of a file that is not a log', () => {
  const now = shippingSession();
  const noise = (lines: number) => 'größer als alles\n'.repeat(lines);

  it('sends nothing and exits with 2 if none of the first lines can be parsed', async () => {
    const { code, stderr } = await now.ingest(process.execPath, '--batch-bytes', '1');
    expect([code, now.server.requests.length]).to.deep.equal([2, 0]);
    expect(stderr).to.include(`None of the first 10 lines of ${process.execPath} can be parsed, such as:`);
    expect(stderr).to.include('--force');
  });

  it('sends nothing of a few lines, nor of a pipe with small batches', async () => {
    writeFileSync(now.log(), noise(3));
    expect((await now.ingest(now.log())).code).to.equal(2);
    const run = await now.ingestInput(noise(11) + log(20), '--batch-bytes', '1', '--flush-every', '0');
    expect(run.code).to.equal(2);
    expect(run.stderr).to.include(
      'None of the first 10 lines of standard input can be parsed, such as: größer',
    );
    expect(now.server.requests).to.have.length(0);
  });

  it('checks several files before it sends any of them', async () => {
    writeFileSync(now.log(), log(3));
    writeFileSync(now.log('error.log'), noise(2));
    const { code, stderr } = await now.ingest(now.log(), now.log('error.log'));
    expect([code, now.server.requests.length]).to.deep.equal([2, 0]);
    expect(stderr).to.include(now.log('error.log')).and.to.include('None of the first 2 lines');
  });

  it('sends it with --force, and exits with 9 because nothing could be parsed', async () => {
    writeFileSync(now.log(), noise(30));
    const { code, stderr } = await now.ingest(now.log(), '--force');
    expect([code, now.server.requests.length]).to.deep.equal([9, 1]);
    expect(stderr).to.include('Nothing could be parsed: 30 lines');
    const dry = await now.ingest(now.log(), '--dry-run', '--json');
    expect(dry.code).to.equal(9);
    expect(JSON.parse(dry.stdout)).to.have.nested.property('error.code', 'incomplete');
  });

  it('continues after the delivered part of a log, whatever follows', async () => {
    writeFileSync(now.log(), log(3));
    await now.ingest(now.log());
    writeFileSync(now.log(), log(3) + noise(12) + hit(3));
    expect((await now.ingest(now.log(), '--from', 'last')).code).to.equal(0);
    expect(now.server.stored.size).to.equal(4);
  });

  it('sends all lines of a log if only the first ones cannot be parsed', async () => {
    writeFileSync(now.log(), noise(9) + log(3));
    expect((await now.ingest(now.log(), '--batch-bytes', '1')).code).to.equal(0);
    expect(Buffer.concat(now.server.bodies).toString()).to.equal(noise(9) + log(3));
  });

  it('warns of JSON without requests', async () => {
    writeFileSync(now.log(), '{"name":"a package","version":"1.0.0"}\n');
    const { stderr } = await now.ingest(now.log(), '--dry-run');
    expect(stderr).to.match(/1 record could be parsed, but none is an HTTP request|can be parsed/);
  });

  it('warns of requests without a user agent, in a dry run and while shipping', async () => {
    writeFileSync(now.log(), '::1 - - [20/Nov/2026:10:18:45 +0000] "GET / HTTP/1.1" 200 1\n'.repeat(3));
    for (const args of [[], ['--dry-run']]) {
      const { stderr, code } = await now.ingest(now.log(), ...args);
      expect(stderr).to.include('Of the first 3 requests').and.to.include('3 state no user agent');
      expect(code).to.equal(0);
    }
  });
});

describe('svc ingest of compressed files', () => {
  const now = shippingSession();
  /** The beginnings of real archives of an empty and of a short text. */
  const packings: readonly (readonly [name: string, command: string, hex: string])[] = [
    ['bzip2', 'bzcat', '425a683931415926535962'],
    ['bzip2', 'bzcat', '425a683917724538509000000000'],
    ['xz', 'xzcat', 'fd377a585a000004e6d6b446'],
    ['zstd', 'zstdcat', '28b52ffd2404210000'],
  ];
  for (const [name, command, hex] of packings) {
    it(`refuses ${name} (${hex.slice(8, 12)}) and explains how to pipe it`, async () => {
      writeFileSync(now.log('sound.log'), log(2));
      writeFileSync(now.log('my log'), Buffer.from(hex, 'hex'));
      const { code, stderr } = await now.ingest(now.log('sound.log'), now.log('my log'));
      expect([code, now.server.requests.length]).to.deep.equal([2, 0]);
      expect(stderr)
        .to.include(`compressed with ${name}`)
        .and.to.include(`${command} '${now.log('my log')}' | svc ingest`);
      const run = await now.ingestInput(Buffer.from(hex, 'hex'));
      expect(run.code).to.equal(2);
      expect(run.stderr)
        .to.include(`Standard input is compressed with ${name}`)
        .and.to.include(`| ${command} | svc`);
    });
  }

  it('names a file with truncated or damaged gzip data', async () => {
    const whole = gzipSync(log(200));
    writeFileSync(now.log('cut.gz'), whole.subarray(0, -20));
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 40, 60);
    writeFileSync(now.log('bad.gz'), damaged);
    const cut = await now.ingest(now.log('cut.gz'));
    expect(cut.stderr).to.include(`${now.log('cut.gz')} is cut off`);
    const bad = await now.ingest(now.log('bad.gz'));
    expect(bad.stderr).to.include(`${now.log('bad.gz')} is damaged`);
    expect([cut.code, bad.code]).to.deep.equal([2, 2]);
  });
});

describe('svc ingest of files that cannot be used', () => {
  const now = shippingSession();

  it('names them in a message', async () => {
    mkdirSync(now.log('folder'));
    writeFileSync(now.log(), log(1));
    const cases: readonly (readonly [string, ...string[]])[] = [
      [`There is no file ${now.log('none')}.`, now.log('none')],
      [`${now.log('folder')} is a folder`, now.log('folder')],
      [`${now.log('folder')} is not a regular file`, '--follow', now.log('folder')],
      [`${now.log('folder')} cannot be written: it is a folder`, now.log(), '--errors', now.log('folder')],
      [`${now.log('none/x')} cannot be written: its folder does`, now.log(), '--errors', now.log('none/x')],
    ];
    for (const [words, ...args] of cases) {
      const { code, stderr } = await now.ingest(...args);
      expect([code, stderr.includes(words)], stderr).to.deep.equal([2, true]);
    }
    expect(now.server.requests).to.have.length(0);
  });

  it('reads a named pipe from its first byte', async () => {
    execFileSync('sh', ['-c', `mkfifo ${now.log('pipe')}`]);
    const run = now.start(now.log('pipe'));
    writeFileSync(now.log('pipe'), log(5));
    expect(await run.ended).to.equal(0);
    expect(Buffer.concat(now.server.bodies).toString()).to.equal(log(5));
  });
});

describe('svc ingest that is stopped', () => {
  const now = shippingSession();

  it('prints the delivered part and how to continue', async () => {
    const content = log(30_000);
    writeFileSync(now.log(), content);
    now.server.script = (_, __, index) => index > 0;
    const run = now.start(now.log(), '--batch-bytes', '100000');
    while (now.server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    run.child.kill('SIGINT');
    while (!run.stderr.includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await run.stop('SIGINT')).to.equal(130);
    const size = (content.length / 1024 / 1024).toFixed(1);
    expect(run.stderr)
      .to.include(`Interrupted; 0.1 of ${size} MiB was delivered.`)
      .and.to.include('--from last');
    now.server.script = undefined;
    const rest = await now.ingest(now.log(), '--from', 'last');
    expect(rest.code).to.equal(0);
    expect(now.server.stored.size).to.equal(30_000);
    expect(readFileSync(now.log()).length).to.equal(content.length);
  });
});
