import { expect } from 'chai';
import fc from 'fast-check';
import {
  Batcher,
  Lines,
  latin1,
  namesColumns,
  opensDocument,
  secondOf,
} from '../../../src/sdk/ingest/batches.js';
import { FIRST_SECOND, logLine } from '../support/ingest-server.js';

interface Cutting {
  readonly chunk: number;
  readonly target: number;
  readonly overrun?: number;
}

/** The batches of a log, and the warnings. */
function cut(log: Uint8Array, { chunk, target, overrun = 1_000_000 }: Cutting) {
  const warnings: string[] = [];
  const batcher = new Batcher<number>({ target, overrun, warn: (message) => warnings.push(message) });
  let position = 0;
  const lines = new Lines((line, length) => {
    position += length;
    batcher.add(line!, position);
  });
  for (let at = 0; at < log.length; at += chunk) lines.push(log.slice(at, at + chunk));
  lines.end();
  batcher.flush();
  return { batches: batcher.ready.splice(0), warnings };
}

const secondsOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/)
    .map(secondOf);

const cuttings = fc.record({
  chunk: fc.integer({ min: 1, max: 700 }),
  target: fc.integer({ min: 1, max: 3000 }),
});
const pathOf = fc.stringMatching(/^[a-z\u00e4\u20ac]{0,30}$/);
const hits = fc.array(fc.record({ step: fc.integer({ min: 0, max: 2 }), path: pathOf }), { maxLength: 80 });

describe('the batcher', () => {
  it('returns every line of a log exactly once and never splits a second, if the log is in order', () => {
    fc.assert(
      fc.property(hits, cuttings, fc.boolean(), (steps, cutting, ends) => {
        let second = FIRST_SECOND;
        const text = steps.map(({ step, path }) => {
          second += step;
          return logLine(second, `/${path}`);
        });
        const log = Buffer.from(text.join(''));
        const whole = ends ? log : log.subarray(0, -1);
        const { batches } = cut(whole, cutting);
        expect(Buffer.concat(batches.map(({ bytes }) => bytes)).equals(whole)).to.equal(true);
        batches.slice(1).forEach(({ bytes }, at) => {
          const before = Math.max(...secondsOf(batches[at]!.bytes));
          expect(secondsOf(bytes)[0]).to.be.above(before);
        });
      }),
    );
  });

  it('ends a batch only where the next second is later than all in the batch, also out of order', () => {
    const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 });
    fc.assert(
      fc.property(times, cuttings, (offsets, cutting) => {
        const log = Buffer.from(offsets.map((each, at) => logLine(FIRST_SECOND + each, `/${at}`)).join(''));
        const { batches, warnings } = cut(log, cutting);
        expect(Buffer.concat(batches.map(({ bytes }) => bytes)).equals(log)).to.equal(true);
        expect(warnings).to.deep.equal([]);
        batches.slice(1).forEach(({ bytes }, at) => {
          expect(secondsOf(bytes)[0]).to.be.above(Math.max(...secondsOf(batches[at]!.bytes)));
        });
      }),
    );
  });

  it('marks each batch with the position behind it, and keeps to its target if seconds allow it', () => {
    const log = Buffer.from(Array.from({ length: 100 }, (_, at) => logLine(FIRST_SECOND + at, '/')).join(''));
    const { batches } = cut(log, { chunk: 64, target: 1000 });
    let end = 0;
    for (const { bytes, mark } of batches) {
      end += bytes.length;
      expect(mark).to.equal(end);
    }
    expect(Math.max(...batches.map(({ bytes }) => bytes.length))).to.be.at.most(1000);
    expect(batches.length).to.equal(Math.ceil(100 / Math.floor(1000 / (log.length / 100))));
  });

  it('cuts inside a second that exceeds target and overrun, with a warning', () => {
    const log = Buffer.from(Array.from({ length: 50 }, (_, at) => logLine(FIRST_SECOND, `/${at}`)).join(''));
    const { batches, warnings } = cut(log, { chunk: 999, target: 1000, overrun: 500 });
    expect(Buffer.concat(batches.map(({ bytes }) => bytes)).equals(log)).to.equal(true);
    expect(Math.max(...batches.map(({ bytes }) => bytes.length))).to.be.within(1000, 1500);
    expect(warnings).to.have.length(batches.length - 1);
  });

  it('never makes a body larger than 10,000,000 bytes', () => {
    const line = logLine(FIRST_SECOND, `/${'x'.repeat(60_000)}`);
    const { batches } = cut(Buffer.from(line.repeat(400)), { chunk: 1 << 20, target: 9_900_000 });
    expect(batches.length).to.equal(3);
    expect(Math.max(...batches.map(({ bytes }) => bytes.length))).to.be.at.most(10_485_760);
  });

  it('may cut anywhere between records with an id', () => {
    const record = (at: number) =>
      `${JSON.stringify({ RayID: `8f${at}`, EdgeStartTimestamp: '2026-09-01T10:00:00Z' })}\n`;
    const log = Buffer.from(Array.from({ length: 50 }, (_, at) => record(at)).join(''));
    const { batches, warnings } = cut(log, { chunk: 100, target: 500 });
    expect(Math.max(...batches.map(({ bytes }) => bytes.length))).to.be.at.most(500);
    expect(warnings).to.deep.equal([]);
  });

  it('keeps the lines of a second that may continue at a partial flush', () => {
    const batcher = new Batcher<number>({ target: 1e6, overrun: 1e6, warn: () => {} });
    [0, 0, 1, 1].forEach((second, at) => {
      batcher.add(Buffer.from(logLine(FIRST_SECOND + second, `/${at}`)), at);
    });
    batcher.flush(false);
    expect(batcher.ready.splice(0).map(({ mark }) => mark)).to.deep.equal([1]);
    batcher.flush();
    expect(batcher.ready.splice(0).map(({ mark }) => mark)).to.deep.equal([3]);
  });
});

describe('the second of a line', () => {
  const at = 1_795_169_925;
  const cases: readonly (readonly [string, string, number])[] = [
    ['combined', '::1 - - [20/Nov/2026:10:18:45 +0000] "GET / HTTP/1.1" 200 1 "-" "-"', at],
    ['another zone', '::1 - - [20/Nov/2026:12:18:45 +0200] "GET / HTTP/1.1" 200 1 "-" "-"', at],
    ['Envoy', '[2026-11-20T10:18:45.123Z] "GET / HTTP/1.1" 200 - 0 1 2 - "-" "ua"', at],
    ['CloudFront', '2026-11-20\t10:18:45\tFRA2\t1', at],
    ['a load balancer', 'https 2026-11-20T10:18:45.186641Z app/lb 1.2.3.4:5', at],
    ['Caddy', '{"level":"info","ts":1795169925.8041239,"request":{}}', at],
    ['milliseconds', '{"time":1795169925804,"url":"/"}', at],
    ['nanoseconds as text', '{"t":"1795169925804123999","url":"/"}', at],
    ['an ISO time in JSON', '{"time":"2026-11-20T11:18:45+01:00","url":"/"}', at],
    ['a Ray id', '{"RayID":"8f1","EdgeStartTimestamp":1795169925}', Number.POSITIVE_INFINITY],
    ['a request id', '{"request_id": "a1","time":"2026-11-20T11:18:45+01:00"}', Number.POSITIVE_INFINITY],
    ['an id that counts from 1', '{"time":1795169925804,"reqId":"req-1","req":{"url":"/"}}', at],
    ['an empty id', '{"request_id":"","ts":1795169925}', at],
    ['no time', 'garbage', Number.NaN],
    ['JSON without a time', '{"url":"/"}', Number.NaN],
  ];
  for (const [name, line, second] of cases) {
    it(`is found in ${name}`, () => expect(secondOf(line)).to.deep.equal(second));
  }

  it('is found in lines that are not UTF-8', () => {
    const line = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(logLine(FIRST_SECOND, '/'))]);
    expect(secondOf(latin1(line))).to.equal(FIRST_SECOND);
  });
});

describe('the column names of a CSV', () => {
  const rows: readonly (readonly [line: string, is: boolean])[] = [
    ['ClientIP,ClientRequestURI,EdgeStartTimestamp\n', true],
    ['"ClientIP","ClientRequestURI"\r\n', true],
    ['\xef\xbb\xbfClientIP,ClientRequestURI\n', true],
    ['ClientIP,EdgeStartTimestamp\n', false],
    ['192.0.2.1,/ClientRequestURI,2026-11-20T10:18:45Z\n', false],
    ['{"ClientRequestURI":"/"}\n', false],
  ];
  for (const [line, is] of rows) {
    it(`${is ? 'are' : 'are not'} ${JSON.stringify(line)}`, () => expect(namesColumns(line)).to.equal(is));
  }
});

describe('the beginning of a JSON document', () => {
  for (const line of ['[\n', '[ \n', '{\n', '[{"a":1},\n', '{"logs":[\n', '[[1],\n']) {
    it(`is ${JSON.stringify(line)}`, () => expect(opensDocument(line)).to.equal(true));
  }
  for (const line of [
    '{"a":1}\n',
    '[{"a":1}]\n',
    '[2026-11-20T10:18:45Z] "GET /"\n',
    '::1 - - [20/Nov',
    '{"a":1}',
  ]) {
    it(`is not ${JSON.stringify(line)}`, () => expect(opensDocument(line)).to.equal(false));
  }
});
