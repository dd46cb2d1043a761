import { expect } from 'chai';
import { type BridgeOptions, bridge, Forwarder, type Post, postOf } from '../../../src/cli/mcp/stdio.js';
import { errors } from '../../../src/contract/errors.js';
import { configure } from '../../../src/sdk/options.js';
import { fastClock } from '../../sdk/support/clocks.js';
import { KEY, reply, type Script, startServer } from '../../sdk/support/server.js';

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

const messageOf = (method: string, params?: object, id: string | number = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const callOf = (name: string) => messageOf('tools/call', { name });
const ping = messageOf('ping');
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

interface Forwarded {
  /** The reply to each message; undefined: there is none. */
  readonly answers: readonly unknown[];
  readonly notes: readonly string[];
  readonly requests: Awaited<ReturnType<typeof startServer>>['requests'];
}

/** Shortens waits. The three minutes of run_fact_check must still be seconds on a busy machine. */
const SPEED = 10;

/** Forwards these messages one after the other to a server that responds by `script`. */
async function forwarded(script: Script, messages: readonly unknown[], address?: string): Promise<Forwarded> {
  const server = await startServer({ script });
  const notes: string[] = [];
  const clock = fastClock(SPEED);
  const configuration = configure({
    baseUrl: address ?? server.url,
    apiKey: KEY,
    clock,
    timeout: 60_000 * SPEED,
  });
  const { signal } = new AbortController();
  const forwarder = new Forwarder(configuration, {
    signal,
    explain: ({ message }) => message,
    note: (text) => notes.push(text),
  });
  const answers: unknown[] = [];
  try {
    for (const message of messages) {
      const line = await forwarder.answer(postOf(JSON.stringify(message)));
      answers.push(line === '' ? undefined : JSON.parse(line));
    }
    return { answers, notes, requests: server.requests };
  } finally {
    await server.close();
  }
}

const answering =
  (body: object, status = 200): Script =>
  (response) =>
    reply(response, status, body);

describe('the forwarder', () => {
  it('returns the server’s reply, and sends the key as bearer', async () => {
    const result = { jsonrpc: '2.0', id: 7, result: { later: ['a', null] } };
    const { answers, requests } = await forwarded(answering(result), [ping]);
    expect(answers).to.deep.equal([result]);
    expect(requests[0]).to.include({ url: '/api/mcp', method: 'POST' });
    expect(requests[0]!.headers.authorization).to.equal(`Bearer ${KEY}`);
  });

  it('sends the negotiated version with later messages', async () => {
    const initialized = { jsonrpc: '2.0', id: 7, result: { protocolVersion: '2025-03-26' } };
    const { requests } = await forwarded(answering(initialized), [ping, messageOf('initialize'), ping, ping]);
    const versions = requests.map(({ headers }) => headers['mcp-protocol-version']);
    expect(versions).to.deep.equal([undefined, undefined, '2025-03-26', '2025-03-26']);
  });

  it('never sends a version that a header cannot contain', async () => {
    const initialized = { jsonrpc: '2.0', id: 7, result: { protocolVersion: 'a\nb' } };
    const { requests } = await forwarded(answering(initialized), [messageOf('initialize'), ping]);
    expect(requests.map(({ headers }) => headers['mcp-protocol-version'])).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('repeats in headers what a request of 2026-07-28 states, and returns its refusal', async () => {
    const error = { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } };
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const { answers, requests } = await forwarded(answering({ jsonrpc: '2.0', id: 7, error }, 400), [
      messageOf('tools/call', { name: 'ü', _meta: meta }),
    ]);
    expect(requests[0]!.headers).to.include({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?w7w=?=',
    });
    expect(answers).to.deep.equal([{ jsonrpc: '2.0', id: 7, error }]);
  });

  it('never replies to a notification', async () => {
    const taken: Script = (response) => response.writeHead(202).end();
    expect((await forwarded(taken, [notification])).answers).to.deep.equal([undefined]);
    const refused = await forwarded(answering({ error: 'Unauthorized' }, 401), [
      notification,
      [notification],
    ]);
    expect(refused.answers).to.deep.equal([undefined, undefined]);
    expect(refused.notes).to.deep.equal(['Unauthorized', 'Unauthorized']);
  });

  const refusals = [
    errors.unauthorized(),
    errors.ingestOnly(),
    errors.rateLimited(3600),
    errors.databaseUnavailable(),
  ];
  for (const { status, message } of refusals) {
    it(`converts a ${status} to a JSON-RPC error with the server’s message`, async () => {
      const script: Script = (response) =>
        reply(response, status, { error: message }, status === 429 ? { 'Retry-After': '3600' } : {});
      const { answers, notes } = await forwarded(script, [ping]);
      const data = { status, retryable: status === 429 || status >= 500 };
      expect(answers).to.deep.equal([{ jsonrpc: '2.0', id: 7, error: { code: -32000, message, data } }]);
      expect(notes).to.deep.equal([message]);
    });
  }

  it('converts a failed connection to a JSON-RPC error', async () => {
    const { answers } = await forwarded(answering({}), [ping], 'http://127.0.0.1:1');
    const [{ error }] = answers as [{ error: { code: number; message: string; data: object } }];
    expect(error.code).to.equal(-32000);
    expect(error.message).to.match(/^No connection to http:\/\/127\.0\.0\.1:1: /);
    expect(error.data).to.deep.equal({ status: null, retryable: true });
  });

  it('returns an error for each request of a failed batch, but not for other messages', async () => {
    const batch = [
      messageOf('ping', {}, 'a'),
      notification,
      messageOf('ping', {}, 2),
      { id: { odd: true } },
      5,
    ];
    const { answers } = await forwarded(answering({ error: 'Unauthorized' }, 401), [
      batch,
      [notification],
      [],
    ]);
    const [replies, ...others] = answers as [{ id: unknown; error: object }[], ...unknown[]];
    expect(replies.map(({ id }) => id)).to.deep.equal(['a', 2, null, null]);
    expect(others).to.deep.equal([undefined, undefined]);
  });

  it('assigns an error of the protocol without an id to the request', async () => {
    const error = { code: -32600, message: 'Batch too large: 11 messages (max 10)' };
    const script = answering({ jsonrpc: '2.0', id: null, error }, 400);
    const { answers } = await forwarded(script, [ping, []]);
    expect(answers).to.deep.equal([
      { jsonrpc: '2.0', id: 7, error },
      { jsonrpc: '2.0', id: null, error },
    ]);
  });

  it('marks a call that is not read-only as retryable only after a 429', async () => {
    const retryable = async (status: number) => {
      const { answers } = await forwarded(answering({ error: 'no' }, status), [callOf('run_fact_check')]);
      return (answers[0] as { error: { data: { retryable: boolean } } }).error.data.retryable;
    };
    expect(await retryable(502)).to.equal(false);
    expect(await retryable(403)).to.equal(false);
  });

  it('returns no reply to a response of the client', async () => {
    const taken: Script = (response) => response.writeHead(202).end();
    const answer = { jsonrpc: '2.0', id: 5, result: {} };
    const refusal = { jsonrpc: '2.0', id: 6, error: { code: -1, message: 'no' } };
    const { answers, notes } = await forwarded(taken, [answer, refusal]);
    expect(answers).to.deep.equal([undefined, undefined]);
    expect(notes).to.deep.equal([]);
  });

  it('returns an error if the server’s response to a request is empty', async () => {
    const nothing: Script = (response) => response.writeHead(202).end();
    const { answers } = await forwarded(nothing, [ping]);
    expect(answers[0]).to.have.nested.property('error.code', -32000);
    expect(answers[0]).to.have.property('id', 7);
  });

  it('waits after a 429 and then returns the reply', async () => {
    const result = { jsonrpc: '2.0', id: 7, result: {} };
    const script: Script = (response, _, index) =>
      index < 3
        ? reply(response, 429, { error: 'later' }, { 'Retry-After': '1' })
        : reply(response, 200, result);
    const { answers, requests, notes } = await forwarded(script, [callOf('run_fact_check')]);
    expect(answers).to.deep.equal([result]);
    expect(requests).to.have.length(4);
    expect(notes).to.deep.equal([]);
  });

  it('retries a read after a failure, but not a call that is not read-only', async () => {
    const tries = async (message: unknown) =>
      (await forwarded(answering({ error: 'failed' }, 502), [message])).requests.length;
    for (const message of [
      ping,
      messageOf('tools/list'),
      callOf('get_overview'),
      [ping, callOf('list_fanouts')],
    ])
      expect(await tries(message), JSON.stringify(message)).to.equal(3);
    const acting = [
      callOf('run_fact_check'),
      callOf('a_tool_of_next_year'),
      [ping, callOf('run_fact_check')],
    ];
    for (const message of acting) expect(await tries(message), JSON.stringify(message)).to.equal(1);
  });

  it('never writes the key to a reply or a note', async () => {
    const script: Script = (response, received) =>
      reply(response, 400, { error: `Sent: ${received.headers.authorization}` });
    const { answers, notes } = await forwarded(script, [ping]);
    expect(JSON.stringify([answers, notes]))
      .to.contain('[redacted]')
      .and.not.contain(KEY);
  });
});
