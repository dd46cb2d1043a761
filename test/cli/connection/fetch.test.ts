import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect } from 'chai';
import { fetchAs } from '../../../src/cli/connection/fetch.js';

const send = fetchAs('test/1');

describe('the fetch of the command line', () => {
  const servers: Server[] = [];
  const listen = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const headers = { Authorization: 'Bearer svc_k', Accept: 'application/json' };

  it('accepts an address and a Request', async () => {
    const url = await listen(({ headers: sent }, response) => {
      response.writeHead(404, { 'X-Some': 'ä'.length, 'Content-Type': 'text/plain' });
      response.end(`${sent.authorization} ${sent['user-agent']} ü`);
    });
    for (const answer of [await send(url, { headers }), await send(new Request(url, { headers }))]) {
      expect(answer).to.include({ status: 404, ok: false });
      expect(answer.headers.get('x-some')).to.equal('1');
      expect(answer.headers.get('X-None')).to.equal(null);
      expect(await answer.text()).to.equal('Bearer svc_k test/1 ü');
    }
  });

  it('follows redirects within the origin, and sends nothing to another one', async () => {
    let received = 0;
    const other = await listen((_, response) => {
      received += 1;
      response.end();
    });
    const url = await listen((request, response) => {
      if (request.url === '/here') return response.end(String(request.headers.authorization));
      response.writeHead(302, { Location: request.url === '/away' ? `${other}/x` : '/here' });
      return response.end();
    });
    expect(await (await send(`${url}/near`, { headers })).text()).to.equal('Bearer svc_k');
    for (const init of [{ headers }, { headers, method: 'POST', body: 'b' }]) {
      const failed = await send(`${url}/away`, init).catch((error: Error) => error.message);
      expect(failed).to.equal(`${url} redirects to another server, ${other}/x.`);
    }
    expect(received).to.equal(0);
  });

  it('sends the body of a POST, with an address and in a Request', async () => {
    const url = await listen(async (request, response) =>
      response.end(
        `${request.method} ${request.headers['content-type']} ${request.headers['content-length']} ${await text(request)}`,
      ),
    );
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":"ü"}' };
    for (const answer of [await send(url, post), await send(new Request(url, post))])
      expect(await answer.text()).to.equal('POST application/json 10 {"a":"ü"}');
  });

  it('sends binary bodies byte for byte', async () => {
    const url = await listen(async (request, response) => {
      response.end(`${request.headers['content-length']} ${(await buffer(request)).toString('hex')}`);
    });
    const body = Uint8Array.of(0x1f, 0x8b, 0, 0xff, 0x0a);
    for (const answer of [
      await send(url, { method: 'POST', body }),
      await send(new Request(url, { method: 'POST', body })),
    ])
      expect(await answer.text()).to.equal('5 1f8b00ff0a');
  });

  it('sends a body again after 307 and 308, and never turns a POST into a GET', async () => {
    const seen: string[] = [];
    const url = await listen(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${await text(request)}`);
      const status = Number(request.url!.slice(1));
      response.writeHead(status || 200, { Location: '/end' }).end();
    });
    const statuses: number[] = [];
    for (const status of [301, 302, 303, 307, 308])
      statuses.push((await send(`${url}/${status}`, { method: 'POST', body: 'b' })).status);
    expect(statuses).to.deep.equal([301, 302, 303, 200, 200]);
    expect(seen.filter((line) => line.includes('/end'))).to.deep.equal(['POST /end b', 'POST /end b']);
  });

  it('follows at most 5 redirects', async () => {
    let requests = 0;
    const url = await listen((_, response) => {
      requests += 1;
      response.writeHead(301, { Location: '/' }).end();
    });
    const failed = await send(url).catch((error: Error) => error.message);
    expect(failed).to.equal('redirected too often');
    expect(requests).to.equal(6);
  });

  it('stops when its signal aborts', async () => {
    const url = await listen(() => {});
    const failed = await send(url, { signal: AbortSignal.timeout(20) }).catch((error: Error) => error.name);
    expect(failed).to.equal('TimeoutError');
  });
});
