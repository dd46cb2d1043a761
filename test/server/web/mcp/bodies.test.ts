import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { NOW, records } from '../../../rules/support/records.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { PATH, post } from './support/rpc.js';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('POST /api/mcp: the HTTP around a message', () => {
  const server = shared(() => testServer({ now: NOW, bodyTimeouts: { idleMs: 300, totalMs: 1000 } }));
  before(async () => {
    await server.load(records);
  });

  it('no response may be cached, whatever its status', async () => {
    for (const [body, status] of [
      [PING, 200],
      ['{', 400],
      [JSON.stringify({ jsonrpc: '2.0', method: 'x' }), 202],
    ] as const) {
      const response = await post(server, body);
      expect(response.status).to.equal(status);
      expect(response.headers.get('cache-control')).to.equal('no-store');
    }
  });

  it('every response states its length in bytes', async () => {
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 'ü☕', method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'x' },
    ]);
    const response = await post(server, body);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).to.equal(String(bytes.length));
    expect(JSON.parse(bytes.toString())).to.have.length(2);
  });

  it('the path is case-sensitive, and a slash at its end does not matter', async () => {
    const at = (path: string) => server.request(path, OPERATOR_KEY, { method: 'POST', body: PING });
    expect((await at('/api/MCP')).status).to.equal(404);
    expect((await at(`${PATH}/`)).status).to.equal(200);
  });

  it('a body that stops arriving gets 408, and its connection is closed', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${OPERATOR_KEY}`,
      'Content-Length: 500',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{"jsonrpc":`);
    // The text ends when the connection is closed.
    expect(await text(socket))
      .to.match(/^HTTP\/1\.1 408 /)
      .and.match(/"error":"Body too slow/);
  });
});
