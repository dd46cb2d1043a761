import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { answer, FIRST_SECOND, logLine } from '../../sdk/support/ingest-server.js';
import { fixture, shippingSession, until } from '../support/shipping.js';

const hit = (at: number) => logLine(FIRST_SECOND + at, `/p${at}`);
const log = (count: number, from = 0) => Array.from({ length: count }, (_, at) => hit(from + at)).join('');

describe('svc ingest', () => {
  const now = shippingSession();

  it('delivers every byte of several megabytes from a pipe', async () => {
    const bytes = Buffer.from(log(60_000));
    const run = now.start();
    run.child.stdin!.end(bytes);
    expect(await run.ended).to.equal(0);
    expect(bytes.length).to.be.above(5_000_000);
    expect(Buffer.concat(now.server.bodies).equals(bytes)).to.equal(true);
    expect(now.server.mostAtOnce).to.equal(1);
    expect(run.stderr).to.match(
      /^60,000 lines · 60,000 requests, 60,000 of AI crawlers · 0 unparsed · 60,000 new · 1 crawler · \d batches/,
    );
    expect(run.stdout).to.equal('');
  });

  it('reads standard input for - in its place among files', async () => {
    writeFileSync(now.log('a'), hit(1));
    expect((await now.ingestInput(hit(2), now.log('a'), '-')).code).to.equal(0);
    expect(now.paths).to.deep.equal(['/p1', '/p2']);
  });

  it('reads rotated files oldest first, also gzipped ones', async () => {
    writeFileSync(now.log(), hit(9));
    writeFileSync(now.log('access.log.1'), hit(8));
    writeFileSync(now.log('access.log.2.gz'), gzipSync(hit(7)));
    writeFileSync(now.log('access.log.10.gz'), gzipSync(hit(6)));
    const names = ['access.log', 'access.log.1', 'access.log.10.gz', 'access.log.2.gz'];
    const { code } = await now.ingest(...names.map((name) => now.log(name)));
    expect(code).to.equal(0);
    expect(now.paths).to.deep.equal(['/p6', '/p7', '/p8', '/p9']);
  });

  it('recognises gzip by its first bytes, also from a pipe', async () => {
    writeFileSync(now.log('packed'), gzipSync(hit(1)));
    expect((await now.ingest(now.log('packed'))).code).to.equal(0);
    expect((await now.ingestInput(gzipSync(hit(2)))).code).to.equal(0);
    expect(now.paths).to.deep.equal(['/p1', '/p2']);
  });

  for (const name of [
    'nginx-1.22-combined.log',
    'apache-2.4-vhost_combined.log',
    'nginx-1.22-escape-json.ndjson',
    'caddy-2.6-access.ndjson',
  ]) {
    it(`counts ${name} like one body, wherever it is cut`, async () => {
      const whole = JSON.parse((await now.ingest(fixture(name), '--json')).stdout);
      const stored = now.server.stored.size;
      now.server.stored.clear();
      const cut = JSON.parse((await now.ingest(fixture(name), '--json', '--batch-bytes', '2000')).stdout);
      expect(now.server.stored.size).to.equal(stored).and.to.be.above(0);
      for (const each of ['totalLines', 'unparsed', 'matched', 'inserted'])
        expect(cut[each]).to.equal(whole[each]);
      expect(cut.batches).to.be.above(whole.batches);
      expect(cut.agents).to.deep.equal(whole.agents);
    });
  }

  it('counts by agent like the server in a dry run, and sends nothing', async () => {
    const name = 'nginx-1.22-combined.log';
    const dry = JSON.parse((await now.ingest(fixture(name), '--dry-run', '--json')).stdout);
    expect(now.server.requests).to.have.length(0);
    const real = JSON.parse((await now.ingest(fixture(name), '--json')).stdout);
    for (const each of ['lines', 'totalLines', 'unparsed', 'matched', 'agents'])
      expect(dry[each]).to.deep.equal(real[each]);
    expect(dry).to.include({ dry_run: true, inserted: null, batches: 0 });
  });

  it('states the number of hits that were already known', async () => {
    writeFileSync(now.log(), log(5));
    await now.ingest(now.log());
    const { stderr } = await now.ingest(now.log());
    expect(stderr).to.include('0 new (5 already known) · 1 crawler · 1 batch');
  });

  it('lists hits by agent with --verbose, and prints nothing with --quiet', async () => {
    writeFileSync(now.log(), log(3) + logLine(FIRST_SECOND, '/x', 'ClaudeBot/1.0'));
    expect((await now.ingest(now.log(), '--verbose')).stdout).to.equal('gptbot     3\nclaudebot  1\n');
    expect(await now.ingest(now.log(), '--quiet')).to.deep.equal({ stdout: '', stderr: '', code: 0 });
  });

  it('writes unparsed lines with their numbers, across batches and files', async () => {
    writeFileSync(now.log('a'), `${log(30)}first fault\n${log(30, 30)}second fault\n`);
    writeFileSync(now.log('b'), `third fault\n${log(1, 60)}`);
    const file = now.log('errors');
    await now.ingest(now.log('a'), '--errors', file, '--batch-bytes', '500');
    expect(readFileSync(file, 'utf8')).to.equal('31: first fault\n62: second fault\n');
    await now.ingest(now.log('a'), now.log('b'), '--errors', file);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)).to.equal(
      `${now.log('b')}:1: third fault`,
    );
  });

  it('exits with 9 above --fail-on-unparsed, and with 0 up to it', async () => {
    writeFileSync(now.log(), `${log(3)}fault\n`);
    expect((await now.ingest(now.log(), '--fail-on-unparsed', '25')).code).to.equal(0);
    const { code, stdout } = await now.ingest(now.log(), '--fail-on-unparsed', '24.9%', '--json');
    expect(code).to.equal(9);
    expect(JSON.parse(stdout))
      .to.include({ unparsed: 1, inserted: 0 })
      .and.to.have.nested.property('error.code', 'incomplete');
    expect((await now.ingest(now.log(), '--fail-on-unparsed', 'x')).code).to.equal(2);
  });

  it('strips a prefix of each line', async () => {
    const prefix = 'Sep  1 10:00:00 web nginx(1): ';
    writeFileSync(now.log(), log(3).replace(/^/gm, prefix).slice(0, -prefix.length));
    const { stderr } = await now.ingest(now.log(), '--dry-run');
    expect(stderr).to.include('--strip-prefix');
    expect((await now.ingest(now.log(), '--strip-prefix', '.*?: ')).stderr).to.include('3 new');
    expect(now.server.bodies[0]!.toString()).to.equal(log(3));
    expect((await now.ingest(now.log(), '--strip-prefix', '(')).code).to.equal(2);
  });

  it('sends the column names of a CSV with the rows that --only-agents keeps', async () => {
    const names = 'ClientRequestURI,ClientRequestUserAgent,EdgeStartTimestamp,RayID\n';
    const row = (agent: string) => `/a,${agent},2026-09-01T10:00:00Z,${agent}\n`;
    writeFileSync(now.log(), names + row('curl') + row('GPTBot'));
    expect((await now.ingest(now.log(), '--only-agents')).stderr).to.include('1 new');
    expect(now.server.bodies[0]!.toString()).to.equal(names + row('GPTBot'));
  });

  it('sends only lines of known agents with --only-agents', async () => {
    await now.ingest(fixture('nginx-1.22-combined.log'), '--only-agents');
    const sent = Buffer.concat(now.server.bodies).toString();
    const { stdout } = await now.ingest(fixture('nginx-1.22-combined.log'), '--dry-run', '--json');
    const { matched, lines } = JSON.parse(stdout);
    expect(sent.trimEnd().split('\n')).to.have.length(matched).and.to.have.length.below(lines);
    expect(now.server.stored.size).to.be.at.most(matched);
  });

  it('compresses by default', async () => {
    writeFileSync(now.log(), log(1));
    await now.ingest(now.log());
    await now.ingest(now.log(), '--no-gzip', '--brand', 'b-1');
    expect(now.server.requests.map(({ headers }) => headers['content-encoding'])).to.deep.equal([
      'gzip',
      undefined,
    ]);
    expect(now.server.requests[1]!.url).to.equal('/api/v1/crawler-events?brand=b-1');
  });

  it('sends the lines of an idle pipe after --flush-every and two idle seconds', async () => {
    const run = now.start('--flush-every', '1');
    run.child.stdin!.write(log(2) + log(1, 1));
    await until(() => now.server.bodies.length > 0, 'the flush of an idle pipe');
    run.child.stdin!.end();
    expect(await run.ended).to.equal(0);
    expect(now.paths).to.deep.equal(['/p0', '/p1', '/p1']);
  });

  it('sends the lines that were read after a first signal and exits with 0, and gives up with 130 after a second one', async () => {
    const run = now.start('--flush-every', '0');
    run.child.stdin!.write(log(3));
    await until(() => now.server.bodies.length > 0, 'what lies before the latest second');
    expect(await run.stop('SIGINT')).to.equal(0);
    expect(now.paths).to.have.length(3);
    expect(run.stderr).to.include('Stopping. Press Ctrl-C again to stop at once.').and.to.include('3 new');
    now.server.delay = 60_000;
    const before = now.server.requests.length;
    const stuck = now.start();
    stuck.child.stdin!.end(log(3));
    await until(() => now.server.requests.length > before, 'the request');
    stuck.child.kill('SIGTERM');
    await until(() => stuck.stderr.includes('Stopping'), 'the first signal');
    expect(await stuck.stop('SIGTERM')).to.equal(130);
  });

  describe('exits with', () => {
    for (const [status, code] of [
      [401, 3],
      [403, 4],
      [404, 5],
      [400, 2],
      [415, 2],
      [413, 9],
    ] as const) {
      it(`${code} if the server responds with ${status}`, async () => {
        now.server.script = (response) => answer(response, status, { error: `no: ${status}` });
        writeFileSync(now.log(), log(1));
        const ran = await now.ingest(now.log(), '--max-retries', '0');
        expect([ran.code, now.server.requests.length]).to.deep.equal([code, 1]);
      });
    }

    for (const [status, code] of [
      [429, 6],
      [503, 8],
      [408, 7],
    ] as const) {
      it(`${code} if the server always responds with ${status}`, async () => {
        now.server.script = (response) => answer(response, status, { error: 'no' });
        writeFileSync(now.log(), log(1));
        expect((await now.ingest(now.log(), '--max-retries', '1')).code).to.equal(code);
        expect(now.server.requests).to.have.length(2);
      });
    }

    it('9 if only a part was delivered', async () => {
      now.server.script = (response, _, index) =>
        index === 1 && answer(response, 401, { error: 'Unauthorized' });
      writeFileSync(now.log(), log(20));
      const { code, stdout } = await now.ingest(now.log(), '--batch-bytes', '1000', '--json');
      expect(code).to.equal(9);
      const { error, batches } = JSON.parse(stdout);
      expect([error.code, error.status, batches]).to.deep.equal(['incomplete', 401, 1]);
    });

    it('7 if nothing listens, 3 without a key, 2 without a file or with an invalid one', async () => {
      writeFileSync(now.log(), log(1));
      const deaf = ['--url', 'http://127.0.0.1:9', '--max-retries', '0'];
      expect((await now.ingest(now.log(), ...deaf)).code).to.equal(7);
      expect((await now.ingest(now.log('none'))).code).to.equal(2);
      expect((await now.ingest(now.log(), '--profile', 'none')).code).to.equal(2);
      expect((await now.ingest(now.log(), '--batch-bytes', '99999999')).code).to.equal(2);
    });
  });
});
