import { request } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { itOnServer } from '../support/on-server.js';
import { OPERATOR_KEY as OPERATOR } from '../support/server.js';
import { brandRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { lastEventAt, line, PATH, refused, ship, shipped, storedHits } from './support/shipping.js';
import { bearer } from './support/wire.js';

const BODY = line() + line({ path: '/b' });
const COUNTS = { matched: 2, totalLines: 2, unparsed: 0 };
const TOO_LARGE = [413, { error: 'Body over 10 MB — ship smaller batches', code: 'body_too_large' }];
const EMPTY = [400, { error: 'Empty body', code: 'empty_body' }];
const LIMIT = 10_485_760;
const DECODED_LIMIT = 67_108_864;

describe('rule: bodies are decoded as documented', () => {
  const server = ruleServer({ data: brandRecords, clock: 'refill' });
  beforeEach(async () => {
    await server.database.knex.raw('truncate crawler_events, crawler_connections');
  });

  const encoded: [what: string, body: Uint8Array, encoding: string | undefined][] = [
    ['gzip', gzipSync(BODY), 'gzip'],
    ['gzip in capitals', gzipSync(BODY), 'GZIP'],
    ['x-gzip', gzipSync(BODY), 'x-gzip'],
    ['gzip after identity', gzipSync(BODY), 'identity, gzip'],
    ['gzip in two members', Buffer.concat([gzipSync(line()), gzipSync(line({ path: '/b' }))]), 'gzip'],
    ['deflate', deflateSync(BODY), 'deflate'],
    ['deflate without its wrapper', deflateRawSync(BODY), 'deflate'],
    ['br', brotliCompressSync(BODY), 'br'],
    ['gzip by its first bytes', gzipSync(BODY), undefined],
    ['gzip by its first bytes, called identity', gzipSync(BODY), 'identity'],
    ['nothing', Buffer.from(BODY), undefined],
    ['identity', Buffer.from(BODY), 'identity'],
  ];
  for (const [what, body, encoding] of encoded) {
    it(`encoding: ${what}`, async () => {
      const headers = encoding ? { 'Content-Encoding': encoding } : undefined;
      expect(await shipped(server, body, { ...(headers && { headers }) })).to.deep.equal({
        inserted: 2,
        ...COUNTS,
      });
    });
  }

  const types = [
    'text/plain',
    'text/plain; charset=latin1',
    'application/x-ndjson',
    'application/json',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'nonsense',
    '',
  ];
  for (const type of types) {
    it(`content type: ${type || '(none)'}`, async () => {
      const headers = { 'Content-Type': type };
      expect(await shipped(server, Buffer.from(BODY), { headers })).to.deep.equal({ inserted: 2, ...COUNTS });
    });
  }

  it('a JSON array, an object of records and lines of JSON are the same', async () => {
    const record = (path: string) => ({
      path,
      user_agent: 'GPTBot/1.2',
      timestamp: '2026-11-20T08:00:00Z',
      status: 200,
      request_id: path,
    });
    const all = [record('/a'), record('/b')];
    expect(await shipped(server, JSON.stringify(all))).to.deep.equal({ inserted: 2, ...COUNTS });
    expect(await shipped(server, JSON.stringify({ logs: all }))).to.deep.equal({ inserted: 0, ...COUNTS });
    expect(await shipped(server, all.map((each) => JSON.stringify(each)).join('\n'))).to.deep.equal({
      inserted: 0,
      ...COUNTS,
    });
  });

  for (const encoding of ['zstd', 'snappy', 'bzip2', 'x-bzip2', 'xz', 'compress', 'gzip, gzip', 'nonsense']) {
    it(`415: ${encoding}`, async () => {
      const reply = await ship(server, BODY, { headers: { 'Content-Encoding': encoding } });
      expect(reply.status).to.equal(415);
      expect(await reply.json()).to.deep.equal({
        error: `Unsupported Content-Encoding: ${encoding}. Use gzip, deflate, br or none.`,
        code: 'unsupported_encoding',
      });
      expect(reply.headers.get('Accept-Encoding')).to.equal('gzip, deflate, br');
    });
  }

  const compressions: [name: string, bytes: readonly number[]][] = [
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 0, 0]],
    ['snappy', [0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0, 1]],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0]],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]],
    ['zip', [0x50, 0x4b, 3, 4, 20, 0]],
  ];
  for (const [name, bytes] of compressions) {
    it(`415: ${name} without a header, by its first bytes`, async () => {
      const reply = await ship(server, Uint8Array.from(bytes));
      expect([reply.status, await reply.json()]).to.deep.equal([
        415,
        {
          error: `The body is compressed with ${name}. Send it as it is, or compressed with gzip, deflate, br.`,
          code: 'unsupported_compression',
        },
      ]);
      expect(reply.headers.get('Accept-Encoding')).to.equal('gzip, deflate, br');
    });
  }

  it('a line that begins like a compressed body is a line', async () => {
    const body = line().replace('192.0.2.1', 'BZh9.example.com');
    expect(await shipped(server, body)).to.include({ matched: 1, unparsed: 0 });
  });

  const corrupt: [what: string, body: Uint8Array, encoding?: string][] = [
    ['text called gzip', Buffer.from(BODY), 'gzip'],
    ['a gzip cut short', gzipSync(BODY).subarray(0, -12), 'gzip'],
    [
      'a gzip with a wrong checksum',
      Buffer.concat([gzipSync(BODY).subarray(0, -8), Buffer.alloc(8)]),
      'gzip',
    ],
    ['gzip magic and nothing behind', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ['text called deflate', Buffer.from(BODY), 'deflate'],
    ['text called br', Buffer.from('\xff\xff\xff\xff\xff', 'latin1'), 'br'],
    ['a br cut short', brotliCompressSync(BODY).subarray(0, -5), 'br'],
  ];
  for (const [what, body, encoding] of corrupt) {
    it(`400: ${what}`, async () => {
      const headers = encoding ? { 'Content-Encoding': encoding } : {};
      expect(await refused(server, body, { headers })).to.deep.equal([
        400,
        { error: `Corrupt body: it is not valid ${encoding ?? 'gzip'}.`, code: 'corrupt_body' },
      ]);
      expect(await storedHits(server)).to.deep.equal([]);
    });
  }

  const empty: [what: string, body: string | Uint8Array | undefined, encoding?: string][] = [
    ['none', undefined],
    ['no bytes', ''],
    ['white space', ' \r\n\t \n'],
    ['a byte order mark', '\ufeff\n'],
    ['nothing called gzip', '', 'gzip'],
    ['gzip of nothing', gzipSync(''), 'gzip'],
    ['gzip of white space', gzipSync(' \n'.repeat(100_000)), 'gzip'],
    ['white space beyond any test', ' '.repeat(5000)],
  ];
  for (const [what, body, encoding] of empty) {
    it(`400 Empty body: ${what}`, async () => {
      expect(
        await refused(server, body, { headers: encoding ? { 'Content-Encoding': encoding } : {} }),
      ).to.deep.equal(EMPTY);
    });
  }

  describe('size', () => {
    /** Blank lines are not counted; a few long ones take less time than millions of empty ones. */
    const BLANK = `${' '.repeat(32_767)}\n`;
    const pad = (bytes: number) =>
      Buffer.concat([Buffer.from(BODY), Buffer.alloc(bytes - BODY.length, BLANK)]);

    it('10 MiB are taken, a byte more is 413 because of its length', async () => {
      expect(await shipped(server, pad(LIMIT))).to.deep.equal({ inserted: 2, ...COUNTS });
      expect(await refused(server, pad(LIMIT + 1))).to.deep.equal(TOO_LARGE);
    });

    it('a stated length beyond the limit is refused before the body arrives', async () => {
      const reply = await new Promise<[number, string]>((resolve, reject) => {
        const sent = request(
          `${server.url}${PATH}`,
          { method: 'POST', headers: { ...bearer(OPERATOR), 'Content-Length': String(LIMIT + 1) } },
          (response) => {
            let text = '';
            response
              .on('data', (chunk) => (text += chunk))
              .on('end', () => {
                sent.destroy();
                resolve([response.statusCode!, text]);
              });
          },
        );
        sent.on('error', reject);
        sent.flushHeaders();
      });
      expect(reply).to.deep.equal([413, JSON.stringify(TOO_LARGE[1])]);
    });

    it('a body without an end is refused at the limit and its connection cut', async () => {
      let sentBytes = 0;
      let status = 0;
      await new Promise<void>((resolve, reject) => {
        const sent = request(
          `${server.url}${PATH}`,
          { method: 'POST', headers: bearer(OPERATOR) },
          (response) => {
            status = response.statusCode!;
            response.resume();
          },
        );
        const chunk = Buffer.alloc(65_536, '\n');
        const more = () => {
          while (!sent.destroyed) {
            sentBytes += chunk.length;
            if (!sent.write(chunk)) return;
          }
        };
        sent
          .on('drain', more)
          .on('error', () => undefined)
          .on('close', resolve);
        setTimeout(() => reject(new Error('never cut')), 20_000).unref();
        more();
      });
      expect(status).to.equal(413);
      expect(sentBytes).to.be.greaterThan(LIMIT);
    });

    itOnServer('64 MiB decompressed are taken, a byte more is 413: a bomb is never unpacked', async () => {
      const exact = gzipSync(pad(DECODED_LIMIT), { level: 1 });
      expect(await shipped(server, exact)).to.deep.equal({ inserted: 2, ...COUNTS });
      await server.database.knex.raw('truncate crawler_events, crawler_connections');
      const bomb = gzipSync(pad(DECODED_LIMIT + 1), { level: 1 });
      expect(await refused(server, bomb)).to.deep.equal(TOO_LARGE);
      const member = gzipSync(Buffer.alloc(16 << 20), { level: 9 });
      const before = process.memoryUsage().rss;
      expect(
        await refused(server, Buffer.concat(Array(400).fill(member)), {
          headers: { 'Content-Encoding': 'gzip' },
        }),
      ).to.deep.equal(TOO_LARGE);
      expect(process.memoryUsage().rss - before).to.be.below(300 << 20);
      expect(await storedHits(server)).to.deep.equal([]);
      expect(await lastEventAt(server)).to.equal(null);
    });

    it('is checked before decoding, and decoding before emptiness', async () => {
      const large = Buffer.alloc(LIMIT + 1, 'x');
      expect(await refused(server, large, { headers: { 'Content-Encoding': 'zstd' } })).to.deep.equal(
        TOO_LARGE,
      );
      expect((await refused(server, ' ', { headers: { 'Content-Encoding': 'zstd' } }))[0]).to.equal(415);
    });
  });

  it('a line up to 64 KiB is parsed, a longer one is unparsed', async () => {
    const long = (bytes: number) => {
      const rest = line({ path: '/' }).length - 1;
      return line({ path: `/${'a'.repeat(bytes - rest)}` });
    };
    expect(await shipped(server, long(65_536))).to.include({ matched: 1, unparsed: 0 });
    expect(await shipped(server, long(65_537))).to.include({ matched: 0, unparsed: 1 });
  });

  it('what cannot be stored as text is made storable', async () => {
    const body = Buffer.concat([
      Buffer.from('192.0.2.1 - - [20/Nov/2026:08:00:00 +0000] "GET /a\\x00b\\xff'),
      Buffer.from([0xff]),
      Buffer.from(' HTTP/1.1" 200 5 "-" "GPTBot/1.2"\n'),
    ]);
    expect(await shipped(server, body)).to.include({ inserted: 1 });
    expect((await storedHits(server))[0]!.path).to.match(/^\/a\ufffdb/);
  });
});
