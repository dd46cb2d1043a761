import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { nodeFetchAs } from '../../../src/cli/connection/node-fetch.js';

const nodeFetch = nodeFetchAs('test/1');

describe('nodeFetch', () => {
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

  it('answers as fetch does, to an address and to a Request', async () => {
    const url = await listen(({ headers: sent }, response) => {
      response.writeHead(404, { 'X-Some': 'ä'.length, 'Content-Type': 'text/plain' });
      response.end(`${sent.authorization} ü`);
    });
    for (const answer of [
      await nodeFetch(url, { headers }),
      await nodeFetch(new Request(url, { headers })),
    ]) {
      expect(answer).to.include({ status: 404, ok: false });
      expect(answer.headers.get('x-some')).to.equal('1');
      expect(answer.headers.get('X-None')).to.equal(null);
      expect(await answer.text()).to.equal('Bearer svc_k ü');
    }
  });

  it('follows redirects, but none to another origin', async () => {
    let asked = 0;
    const other = await listen((_, response) => {
      asked += 1;
      response.end();
    });
    const url = await listen((request, response) => {
      if (request.url === '/here') return response.end(String(request.headers.authorization));
      response.writeHead(302, { Location: request.url === '/away' ? `${other}/x` : '/here' });
      return response.end();
    });
    expect(await (await nodeFetch(`${url}/near`, { headers })).text()).to.equal('Bearer svc_k');
    for (const init of [{ headers }, { headers, method: 'POST', body: 'b' }]) {
      const failed = await nodeFetch(`${url}/away`, init).catch((error: Error) => error.message);
      expect(failed).to.equal(`${url} redirects to another server, ${other}/x.`);
    }
    expect(asked).to.equal(0);
  });

  it('sends a body by POST, given with an address and in a Request', async () => {
    const url = await listen(async (request, response) =>
      response.end(
        `${request.method} ${request.headers['content-type']} ${request.headers['content-length']} ${await text(request)}`,
      ),
    );
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":"ü"}' };
    for (const answer of [await nodeFetch(url, post), await nodeFetch(new Request(url, post))])
      expect(await answer.text()).to.equal('POST application/json 10 {"a":"ü"}');
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
      statuses.push((await nodeFetch(`${url}/${status}`, { method: 'POST', body: 'b' })).status);
    expect(statuses).to.deep.equal([301, 302, 303, 200, 200]);
    expect(seen.filter((line) => line.includes('/end'))).to.deep.equal(['POST /end b', 'POST /end b']);
  });

  it('gives up on a circle of redirects', async () => {
    const url = await listen((_, response) => response.writeHead(301, { Location: '/' }).end());
    const failed = await nodeFetch(url).catch((error: Error) => error.message);
    expect(failed).to.equal('redirected too often');
  });

  it('stops with its signal', async () => {
    const url = await listen(() => {});
    const failed = await nodeFetch(url, { signal: AbortSignal.timeout(20) }).catch(
      (error: Error) => error.name,
    );
    expect(failed).to.equal('AbortError');
  });
});
