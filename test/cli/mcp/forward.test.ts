import { expect } from 'chai';
import { Forwarder, postOf } from '../../../src/cli/mcp/stdio.js';
import { errors } from '../../../src/contract/errors.js';
import { configure } from '../../../src/sdk/options.js';
import { fastClock } from '../../sdk/support/clocks.js';
import { KEY, reply, type Script, startServer } from '../../sdk/support/server.js';

const request = (method: string, params?: object, id: string | number = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const callOf = (name: string) => request('tools/call', { name });
const ping = request('ping');
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
    const { requests } = await forwarded(answering(initialized), [ping, request('initialize'), ping, ping]);
    const versions = requests.map(({ headers }) => headers['mcp-protocol-version']);
    expect(versions).to.deep.equal([undefined, undefined, '2025-03-26', '2025-03-26']);
  });

  it('never sends a version that a header cannot contain', async () => {
    const initialized = { jsonrpc: '2.0', id: 7, result: { protocolVersion: 'a\nb' } };
    const { requests } = await forwarded(answering(initialized), [request('initialize'), ping]);
    expect(requests.map(({ headers }) => headers['mcp-protocol-version'])).to.deep.equal([
      undefined,
      undefined,
    ]);
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
    const batch = [request('ping', {}, 'a'), notification, request('ping', {}, 2), { id: { odd: true } }, 5];
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
      request('tools/list'),
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
