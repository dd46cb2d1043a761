import { expect } from 'chai';
import { type BridgeOptions, bridge, type Post } from '../../../src/cli/mcp/stdio.js';

const request = (id: number | string, method = 'ping') => JSON.stringify({ jsonrpc: '2.0', id, method });

/** The lines that the bridge writes for this input if `answer` makes the replies. */
async function lines(
  input: string | AsyncIterable<Uint8Array>,
  answer: BridgeOptions['answer'],
  end = new AbortController(),
): Promise<unknown[]> {
  const written: string[] = [];
  const write = async (text: string) => void written.push(text);
  const bytes = typeof input === 'string' ? chunksOf(input) : input;
  await bridge(bytes, { answer, write, end });
  expect(written.every((text) => text.indexOf('\n') === text.length - 1)).to.equal(true);
  return written.map((text) => JSON.parse(text));
}

/** Yields single bytes, as the slowest pipe does. */
async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
}

const echo = async ({ body }: Post) => JSON.stringify({ echo: body });
const later = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the bridge', () => {
  it('forwards every line unchanged, and writes each reply on a line', async () => {
    const odd = JSON.stringify({ jsonrpc: '2.0', id: 'ü', method: 'ping', params: { text: '\u2028 ☕' } });
    const input = `${request(1)}\r\n\n  \n${odd}\n${request(2)}`;
    expect(await lines(input, echo)).to.deep.equal(
      [request(1), odd, request(2)].map((body) => ({ echo: body })),
    );
  });

  it('replies to invalid JSON like the server, and continues', async () => {
    const error = { code: -32700, message: 'Parse error (invalid JSON)' };
    expect(await lines(`{\n${request(1)}\n`, echo)).to.deep.equal([
      { jsonrpc: '2.0', id: null, error },
      { echo: request(1) },
    ]);
  });

  it('replies to a line that exceeds the size limit without keeping it in memory', async () => {
    async function* huge(): AsyncGenerator<Uint8Array> {
      for (let megabytes = 0; megabytes < 11; megabytes += 1) yield Buffer.alloc(1_000_000, 'x');
      yield Buffer.from(`\n${request(1)}\n`);
    }
    const [refused, next] = await lines(huge(), echo);
    expect(refused).to.have.nested.property('error.message').that.contains('Body over 1 MiB');
    expect(next).to.deep.equal({ echo: request(1) });
  });

  it('writes nothing if there is no reply', async () => {
    expect(await lines(`${request(1)}\n${request(2)}\n`, async () => '')).to.deep.equal([]);
  });

  it('writes the reply to a later message before that to a slow one', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answer = async (post: Post) => {
      if (post.ids[0] === 1) await slow;
      else release();
      return echo(post);
    };
    const written = await lines(`${request(1)}\n${request(2)}\n`, answer);
    expect(written).to.deep.equal([{ echo: request(2) }, { echo: request(1) }]);
  });

  it('has at most 32 messages in flight, and ends when every reply is written', async () => {
    let running = 0;
    let most = 0;
    const answer = async (post: Post) => {
      running += 1;
      most = Math.max(most, running);
      await later();
      running -= 1;
      return echo(post);
    };
    const input = Array.from({ length: 100 }, (_, id) => request(id)).join('\n');
    expect(await lines(input, answer)).to.have.length(100);
    expect({ most, running }).to.deep.equal({ most: 32, running: 0 });
  });

  /** An input that never ends. */
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${request(1)}\n`);
    await new Promise(() => {});
  }

  it('ends with the reason of `end` while it waits for input', async () => {
    const end = new AbortController();
    const reason = new Error('stop');
    setTimeout(() => end.abort(reason), 20);
    expect(await lines(endless(), echo, end).catch((error: unknown) => error)).to.equal(reason);
  });

  it('ends with the reason of `end` while the client reads no replies', async () => {
    const end = new AbortController();
    const reason = new Error('stop');
    const write = () => new Promise<void>(() => {});
    for (const requests of [1, 40]) {
      const input = chunksOf(Array.from({ length: requests }, (_, id) => request(id)).join('\n'));
      setTimeout(() => end.abort(reason), 20);
      expect(await bridge(input, { answer: echo, write, end }).catch((error: unknown) => error)).to.equal(
        reason,
      );
    }
  });

  it('ends when the client closes the output, and aborts messages in flight', async () => {
    const end = new AbortController();
    const closed = new Error('closed');
    const write = () => Promise.reject(closed);
    const ended = bridge(endless(), { answer: echo, write, end });
    expect(await ended.catch((error: unknown) => error)).to.equal(closed);
    expect(end.signal.reason).to.equal(closed);
  });
});
