import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { answerClientErrors } from '../../src/server/web/http/connection.js';
import { OPERATOR_KEY } from '../support/server.js';
import { brandRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { line, PATH, storedHits } from './support/shipping.js';
import { send } from './support/wire.js';

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: unknown;
}

/** Sends bytes and returns the responses in order, after the server closed the connection. */
async function talk(url: string, text: string): Promise<Answer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  await new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
    socket.on('error', () => undefined).on('end', () => socket.end());
    socket.on('close', () => resolve());
    socket.write(text);
  });
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((each) => each !== '' && !each.startsWith('HTTP/1.1 100 '))
    .map((each) => {
      const [head = '', body = ''] = each.split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), head, body: body === '' ? '' : JSON.parse(body) };
    });
}

const short = (answers: readonly Answer[]) => answers.map(({ status, body }) => [status, body]);
const NO_REQUEST = [400, { error: 'This is not an HTTP request', code: 'not_http' }];

describe('rule: an idle connection is kept longer than proxies keep theirs', () => {
  const server = ruleServer({ data: [] });

  it('an answer states 65 seconds', async () => {
    const { headers } = await send(server.url, '/livez', { headers: { Connection: 'keep-alive' } });
    expect(headers['keep-alive']).to.equal('timeout=65');
  });
});

describe('rule: errors of HTTP itself are JSON', () => {
  const server = ruleServer({ data: brandRecords });

  it('a request without a Host is 400', async () => {
    const [answer] = await talk(server.url, 'GET /api/v1/brands HTTP/1.1\r\n\r\n');
    expect([answer!.status, answer!.body]).to.deep.equal([
      400,
      { error: 'Missing Host header.', code: 'missing_host' },
    ]);
    expect(answer!.head).to.match(/content-type: application\/json/i);
    expect(answer!.head)
      .to.match(/x-svc-api-version: \d/i)
      .and.match(/x-request-id: \S/i);
  });

  it('several Host headers are 400, even if they are equal', async () => {
    for (const second of ['x', 'y']) {
      const answers = await talk(server.url, `GET /livez HTTP/1.1\r\nHost: x\r\nhost: ${second}\r\n\r\n`);
      expect(short(answers)).to.deep.equal([
        [400, { error: 'Host header was given 2 times. Give it once.', code: 'repeated_host' }],
      ]);
    }
  });

  it('HTTP/1.0 requires no Host, and its Expect is ignored', async () => {
    expect(short(await talk(server.url, 'GET /livez HTTP/1.0\r\nExpect: a miracle\r\n\r\n'))).to.deep.equal([
      [200, { status: 'ok' }],
    ]);
  });

  it('an unsupported Expect is 417, for any path', async () => {
    for (const target of ['GET /livez', `POST ${PATH}`, 'GET /api/v1/brands', 'GET /nowhere']) {
      const answers = await talk(server.url, `${target} HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n`);
      expect(short(answers)).to.deep.equal([
        [
          417,
          { error: 'Unsupported Expect: a miracle. Use 100-continue or none.', code: 'unmet_expectation' },
        ],
      ]);
    }
  });

  it('100-continue is met, in any case', async () => {
    const body = line();
    const answers = await talk(
      server.url,
      `POST ${PATH}?brand=first HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-Continue\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(short(answers)).to.deep.equal([[200, { inserted: 1, matched: 1, totalLines: 1, unparsed: 0 }]]);
  });

  it('bytes that are not a request are 400, headers without an end are 431', async () => {
    expect(short(await talk(server.url, 'not http\r\n\r\n'))).to.deep.equal([NO_REQUEST]);
    const long = await talk(server.url, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(short(long)).to.deep.equal([
      [431, { error: 'Request headers are too large', code: 'headers_too_large' }],
    ]);
    expect(long[0]!.head)
      .to.match(/x-svc-api-version: \d/i)
      .and.match(/x-request-id: [0-9a-f-]{36}\r/i);
  });

  it('invalid bytes do not replace the responses to earlier requests', async () => {
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n\r\n`;
    const brands = await server.read('/api/v1/brands');
    const answers = await talk(
      server.url,
      `${get('/api/v1/brands')}${get('/livez')}not http\r\n\r\nnor this\r\n\r\n`,
    );
    expect(short(answers)).to.deep.equal([[200, brands], [200, { status: 'ok' }], NO_REQUEST]);
  });

  it('a body that breaks the rules of chunks is 400 once, stores nothing, and those before it are answered', async () => {
    await server.database.knex.raw('truncate crawler_events');
    const post = `POST ${PATH}?brand=first HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const get = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await talk(server.url, `${get}${post}nonsense\r\n${line()}`);
    expect(short(answers)).to.deep.equal([[200, { status: 'ok' }], NO_REQUEST]);
    expect(await storedHits(server)).to.deep.equal([]);
  });

  it('a request that is refused before its body arrives gets no second response for the body', async () => {
    const post = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answers = await talk(server.url, `${post}nonsense\r\n`);
    expect(answers.map(({ status }) => status)).to.have.lengthOf(1);
  });

  describe('in time', () => {
    async function slow(handle: RequestListener, text: string): Promise<Answer[]> {
      const own = createServer(
        { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
        handle,
      );
      answerClientErrors(own);
      await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
      const answers = await talk(`http://127.0.0.1:${(own.address() as AddressInfo).port}`, text);
      own.close();
      return answers;
    }
    const LATE = [408, { error: 'The request was not all there in time', code: 'request_timeout' }];

    it('headers that do not end are 408', async () => {
      expect(short(await slow(() => undefined, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '))).to.deep.equal([
        LATE,
      ]);
    });

    it('so are those of a later request on the connection', async () => {
      const handle: RequestListener = (_, response) => response.end('{"ok":true}');
      const first = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
      expect(short(await slow(handle, `${first}GET / HTTP/1.1\r\nHo`))).to.deep.equal([
        [200, { ok: true }],
        LATE,
      ]);
    });
  });
});
