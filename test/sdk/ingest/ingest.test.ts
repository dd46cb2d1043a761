import { Readable } from 'node:stream';
import { expect } from 'chai';
import {
  AuthenticationError,
  type IngestProgress,
  type IngestSource,
  RateLimitError,
  SvcClient,
  type SvcClientOptions,
} from '../../../src/sdk/index.js';
import { fresh } from '../../support/hooks.js';
import { fastClock } from '../support/clocks.js';
import { answer, FIRST_SECOND, logLine, startIngestServer } from '../support/ingest-server.js';
import { KEY } from '../support/server.js';
import { failureOf } from '../support/setup.js';

const lines = (count: number, perSecond = 4) =>
  Array.from({ length: count }, (_, at) => logLine(FIRST_SECOND + Math.floor(at / perSecond), `/p${at}`));

describe('ingest', () => {
  const server = fresh(startIngestServer);

  const client = (options: SvcClientOptions = {}) =>
    new SvcClient({
      baseUrl: server.url,
      apiKey: KEY,
      clock: fastClock(100),
      timeout: 6_000_000,
      ...options,
    });

  const text = lines(40).join('');
  const bytes = Buffer.from(text);
  const halves = [bytes.subarray(0, 777), bytes.subarray(777)];
  const sources: { readonly [name: string]: () => IngestSource } = {
    'a string': () => text,
    bytes: () => new Uint8Array(bytes),
    'an ArrayBuffer': () => new Uint8Array(bytes).buffer,
    'a Blob': () => new Blob([text]),
    'a Web stream': () => new Blob([text]).stream(),
    'a Node stream': () => Readable.from(halves),
    'an async iterable of texts': async function* () {
      for (const half of halves) yield half.toString();
    } as unknown as () => IngestSource,
    'an array of chunks': () => halves,
  };
  for (const [name, source] of Object.entries(sources)) {
    it(`accepts ${name}`, async () => {
      const totals = await client().ingest(source());
      expect(totals).to.deep.equal({
        inserted: 40,
        matched: 40,
        totalLines: 40,
        unparsed: 0,
        bytes: bytes.length,
        bodies: 1,
        skippedLines: 0,
        offset: bytes.length,
      });
      expect(Buffer.concat(server.bodies).equals(bytes)).to.equal(true);
    });
  }

  it('refuses unknown options, and sends nothing', async () => {
    const error = await failureOf(client({ brand: 'own' }).ingest(text, { brnad: 'b' } as object));
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/^Unknown option: brnad\. Known options: brand, from, maxBodyBytes, /);
    expect(server.requests).to.deep.equal([]);
    await client().ingest(text, { brnad: undefined, brand: null } as object);
    expect(server.requests.map(({ url }) => url)).to.deep.equal(['/api/v1/crawler-events']);
  });

  it('posts to the brand of the call, else of the client, else without a brand', async () => {
    await client().ingest(text);
    await client({ brand: 'own' }).ingest(text);
    await client({ brand: 'own' }).ingest(text, { brand: 'b&1' });
    expect(server.requests.map(({ url }) => url)).to.deep.equal([
      '/api/v1/crawler-events',
      '/api/v1/crawler-events?brand=own',
      '/api/v1/crawler-events?brand=b%261',
    ]);
    expect(server.requests[0]!.headers.authorization).to.equal(`Bearer ${KEY}`);
  });

  it('compresses by default', async () => {
    await client().ingest(text);
    await client().ingest(text, { gzip: false });
    const encodings = server.requests.map(({ headers }) => headers['content-encoding']);
    expect(encodings).to.deep.equal(['gzip', undefined]);
  });

  it('sums the counters of all bodies and reports progress after each', async () => {
    const seen: IngestProgress[] = [];
    const totals = await client().ingest(`${text}no log line\n`, {
      maxBodyBytes: 1000,
      onProgress: (progress) => seen.push(progress),
    });
    expect(totals).to.include({ inserted: 40, matched: 40, totalLines: 40, unparsed: 1 });
    expect(totals.bodies).to.equal(server.bodies.length).and.to.be.above(3);
    expect(seen.map(({ bodies }) => bodies)).to.deep.equal(seen.map((_, at) => at + 1));
    expect(seen.at(-1)).to.deep.equal(totals);
  });

  it('continues at the offset of an interrupted call', async () => {
    let last: IngestProgress | undefined;
    server.script = (response, _, index) => index === 2 && answer(response, 401, { error: 'Unauthorized' });
    const options = { maxBodyBytes: 1000, onProgress: (progress: IngestProgress) => (last = progress) };
    expect(await failureOf(client().ingest(text, options))).to.be.instanceOf(AuthenticationError);
    server.script = undefined;
    const rest = await client().ingest(text, { maxBodyBytes: 1000, from: last!.offset });
    expect(rest.offset).to.equal(bytes.length);
    expect(Buffer.concat(server.bodies).toString()).to.equal(text);
  });

  it('repeats the newest directives of a W3C log at the beginning of each body, also when it continues', async () => {
    const head = '#Version: 1.0\n#Fields: date time c-ip cs-uri-stem sc-status cs(User-Agent)\n';
    const row = (at: number) => `2026-09-01\t10:00:${10 + at}\t192.0.2.1\t/p${at}\t200\tGPTBot/1.2\n`;
    const log = head + Array.from({ length: 30 }, (_, at) => row(at)).join('');
    let offset = 0;
    const totals = await client().ingest(log, {
      maxBodyBytes: 400,
      onProgress: (progress) => (offset ||= progress.offset),
    });
    expect(totals).to.include({ matched: 30, inserted: 30, unparsed: 0 });
    const again = await client().ingest(log, { maxBodyBytes: 400, from: offset });
    expect(again).to.include({ inserted: 0, unparsed: 0 });
    for (const body of server.bodies) expect(body.toString().startsWith(head)).to.equal(true);
  });

  it('repeats the column names of a CSV at the beginning of each body, also when it continues', async () => {
    const head = 'ClientIP,ClientRequestURI,ClientRequestUserAgent,EdgeStartTimestamp,RayID\n';
    const row = (at: number) => `192.0.2.1,/p${at},"GPTBot/1.2, x",2026-09-01T10:00:${10 + at}Z,ray${at}\n`;
    const log = head + Array.from({ length: 30 }, (_, at) => row(at)).join('');
    let offset = 0;
    const totals = await client().ingest(log, {
      maxBodyBytes: 400,
      onProgress: (progress) => (offset ||= progress.offset),
    });
    expect(totals).to.include({ matched: 30, inserted: 30, unparsed: 0 });
    expect(await client().ingest(log, { maxBodyBytes: 400, from: offset })).to.include({
      inserted: 0,
      unparsed: 0,
    });
    for (const body of server.bodies) expect(body.toString().startsWith(head)).to.equal(true);
  });

  it('never cuts a JSON document', async () => {
    const record = (at: number) => ({
      ts: FIRST_SECOND + at,
      request_uri: `/p${at}`,
      http_user_agent: 'GPTBot/1.2',
    });
    const document = JSON.stringify(
      Array.from({ length: 50 }, (_, at) => record(at)),
      null,
      1,
    );
    expect(await client().ingest(document, { maxBodyBytes: 500 })).to.include({ inserted: 50, bodies: 1 });
  });

  it('sends nothing for an empty source', async () => {
    expect(await client().ingest('\n \r\n')).to.include({ bodies: 0, totalLines: 0 });
    expect(server.requests).to.have.length(0);
  });

  it('halves a body that the server refuses as too large, down to single lines, between seconds if possible', async () => {
    server.script = (response, body) => body.length > 450 && answer(response, 413, { error: 'Too large' });
    const totals = await client().ingest(text);
    expect(totals).to.include({ inserted: 40, skippedLines: 0, offset: bytes.length });
    expect(Buffer.concat(server.bodies).toString()).to.equal(text);
  });

  it('skips and counts a line that the server refuses on its own', async () => {
    server.script = (response, body) => body.length > 2000 && answer(response, 413, { error: 'Too large' });
    const long = logLine(FIRST_SECOND, `/${'x'.repeat(3000)}`);
    expect(await client().ingest(long + text)).to.include({ inserted: 40, skippedLines: 1 });
  });

  it('skips and counts a line of more than 10 MB without keeping it in memory', async () => {
    async function* source() {
      yield Buffer.from(text);
      for (let at = 0; at < 11; at++) yield Buffer.alloc(1_000_000, 'x');
      yield Buffer.from(`\n${logLine(FIRST_SECOND + 99, '/last')}`);
    }
    expect(await client().ingest(source())).to.include({ inserted: 41, skippedLines: 1, unparsed: 0 });
    expect(Math.max(...server.bodies.map((body) => body.length))).to.be.below(100_000);
  });

  it('retries after 429, 408, 5xx and broken connections, up to maxRetries times', async () => {
    const statuses = [429, 408, 500, 503, 502, 504];
    server.script = (response, _, index) => {
      if (index === 0) return Boolean(response.destroy());
      const status = statuses[index - 1];
      return status !== undefined && answer(response, status, { error: 'no' }, { 'Retry-After': '0' });
    };
    expect(await client().ingest(text)).to.include({ inserted: 40, bodies: 1 });
    server.script = (response) => answer(response, 429, { error: 'no' }, { 'Retry-After': '1' });
    expect(await failureOf(client().ingest(text, { maxRetries: 2 }))).to.be.instanceOf(RateLimitError);
  });

  for (const status of [400, 401, 403, 404, 415]) {
    it(`does not retry after ${status}`, async () => {
      server.script = (response) => answer(response, status, { error: 'no' });
      expect(await failureOf(client().ingest(text))).to.include({ status });
      expect(server.requests).to.have.length(1);
    });
  }

  it('ends when the signal aborts, also while the source waits', async () => {
    const controller = new AbortController();
    async function* source() {
      yield Buffer.from(text);
      controller.abort(new Error('enough'));
      await new Promise(() => {});
    }
    const failure = await failureOf(client().ingest(source(), { signal: controller.signal }));
    expect(failure).to.include({ message: 'enough' });
  });
});
