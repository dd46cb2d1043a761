import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { RefusedError } from '../../../../src/server/base/errors.js';
import { ByteBuffer, readBody } from '../../../../src/server/web/http/read-body.js';

/** A limit that no other timer of the process has. */
const TIMEOUTS = { idleMs: 54_321, totalMs: 65_432 };
const MAX_BYTES = 10;

/** What readBody did with a request, and the timers that it started. */
interface Outcome {
  readonly body?: string;
  readonly status?: number;
  readonly lengths: readonly number[];
  readonly timers: readonly number[];
}

describe('readBody', () => {
  const sockets: Socket[] = [];
  const { setTimeout: start } = globalThis;
  afterEach(() => {
    globalThis.setTimeout = start;
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function read(request: IncomingMessage): Promise<Outcome> {
    const lengths: number[] = [];
    const timers: number[] = [];
    globalThis.setTimeout = ((callback: () => void, ms: number) => {
      timers.push(ms);
      return start(callback, ms);
    }) as never;
    const onLength = (length: number) => void lengths.push(length);
    try {
      const chunks = await readBody(request, { maxBytes: MAX_BYTES, timeouts: TIMEOUTS, onLength });
      return { body: Buffer.concat(chunks).toString(), lengths, timers };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return { status: error.refusal.status, lengths, timers };
    } finally {
      globalThis.setTimeout = start;
    }
  }

  /** Sends these pieces with pauses between; the outcome of the request that they make. */
  async function outcomeOf(...pieces: readonly string[]): Promise<Outcome> {
    const server = createServer();
    const outcome = once(server, 'request').then(([request]) => read(request as IncomingMessage));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    for (const piece of pieces) {
      socket.write(piece);
      await wait(20);
    }
    const result = await outcome;
    socket.destroy();
    server.close();
    return result;
  }

  const head = (...headers: string[]) => `POST / HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;
  const CHUNKED = 'Transfer-Encoding: chunked';

  it('starts no timer for a body that arrives with its head', async () => {
    const outcome = await outcomeOf(`${head('Content-Length: 5')}short`);
    expect(outcome).to.deep.equal({ body: 'short', lengths: [5], timers: [] });
  });

  it('joins the chunks of such a body', async () => {
    const { body, timers } = await outcomeOf(`${head(CHUNKED)}2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n`);
    expect({ body, timers }).to.deep.equal({ body: 'abcde', timers: [] });
  });

  it('returns nothing for a request without a body', async () => {
    const { body, timers } = await outcomeOf(head('Content-Length: 0'));
    expect({ body, timers }).to.deep.equal({ body: '', timers: [] });
  });

  it('limits the time of a body that does not arrive with its head', async () => {
    const { body, timers } = await outcomeOf(`${head('Content-Length: 5')}sh`, 'o', 'rt');
    expect(body).to.equal('short');
    expect(timers).to.deep.equal([TIMEOUTS.idleMs, TIMEOUTS.totalMs]);
  });

  it('refuses a body that is too long, stated or not, at once or in pieces', async () => {
    const long = 'b\r\nelevenbytes\r\n';
    for (const pieces of [
      [head('Content-Length: 11')],
      [`${head(CHUNKED)}${long}0\r\n\r\n`],
      [head(CHUNKED), long],
    ]) {
      const { status, lengths } = await outcomeOf(...pieces);
      expect({ status, lengths }, pieces.join()).to.deep.equal({ status: 413, lengths: [] });
    }
  });
});

/** Bytes of a chunk that Node receives, and chunks of a body that have all arrived. */
const CHUNK = 64 * 1024;
const CHUNKS = 40;

/** A request whose chunks can all be read at once. */
function arrived(): IncomingMessage {
  let left = CHUNKS;
  const body = new Readable({
    read() {
      this.push(left-- > 0 ? Buffer.alloc(CHUNK, left) : null);
    },
  });
  return Object.assign(body, { headers: {}, complete: false }) as unknown as IncomingMessage;
}

describe('rule: a long body is read in several turns of the event loop', () => {
  it('takes at most 256 KiB in one turn, all of them in their order', async () => {
    let [taken, most, reading] = [0, 0, true];
    const turn = (): void => {
      taken = 0;
      if (reading) setImmediate(turn);
    };
    turn();
    let before = 0;
    const onLength = (length: number): void => {
      taken += length - before;
      before = length;
      most = Math.max(most, taken);
    };
    const chunks = await readBody(arrived(), { maxBytes: CHUNK * CHUNKS, timeouts: TIMEOUTS, onLength });
    reading = false;
    const expected = Array.from({ length: CHUNKS }, (_, i) => Buffer.alloc(CHUNK, CHUNKS - 1 - i));
    expect(Buffer.concat(chunks).equals(Buffer.concat(expected))).to.equal(true);
    expect(most).to.be.within(CHUNK, 4 * CHUNK);
  });

  it('reads nothing more of a body that it refused', async () => {
    let last = 0;
    const onLength = (length: number): void => {
      last = length;
      if (length === 4 * CHUNK) request.destroy();
    };
    const request = arrived();
    const error: unknown = await readBody(request, {
      maxBytes: CHUNK * CHUNKS,
      timeouts: TIMEOUTS,
      onLength,
    }).catch((thrown: unknown) => thrown);
    expect(error).to.have.nested.property('refusal.status', 400);
    await wait(10);
    expect([last, request.isPaused()]).to.deep.equal([4 * CHUNK, true]);
  });
});

const memoryOf = (pieces: readonly Buffer[]) =>
  [...new Set(pieces.map((piece) => piece.buffer))].reduce((sum, buffer) => sum + buffer.byteLength, 0);

describe('the bytes of a body', () => {
  it('are kept unchanged and in order, however the chunks are cut', () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 50 }),
      fc.uint8Array({ minLength: 5000, maxLength: 9000 }),
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        const buffer = new ByteBuffer();
        for (const each of chunks) buffer.add(Buffer.from(each));
        const whole = Buffer.concat(chunks);
        expect(Buffer.concat(buffer.chunks).equals(whole)).to.equal(true);
        expect(buffer.length).to.equal(whole.length);
      }),
    );
  });

  it('take no more memory in chunks of one byte than in one chunk', () => {
    const buffer = new ByteBuffer();
    const received = Buffer.alloc(65_536, 'x');
    for (let i = 0; i < 300_000; i++) buffer.add(received.subarray(i % 65_536, (i % 65_536) + 1));
    expect(buffer.chunks.length).to.be.below(15);
    expect(memoryOf(buffer.chunks)).to.be.below(300_000 + 65_536);
  });

  it('do not keep the received buffers in memory', () => {
    const buffer = new ByteBuffer();
    const received = Buffer.alloc(65_536, 'x');
    buffer.add(received.subarray(0, 10));
    received.fill('y');
    expect(Buffer.concat(buffer.chunks).toString()).to.equal('xxxxxxxxxx');
    expect(memoryOf(buffer.chunks)).to.be.at.most(4096);
  });
});
