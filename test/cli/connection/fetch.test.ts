import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect } from 'chai';
import { fetchAs } from '../../../src/cli/connection/fetch.js';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { certificate } from '../support/certificate.js';
import { KEYS } from '../support/fake-server.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

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

describe('an address of another server', () => {
  const now = session();
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const plain = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const commands = [
    ['overview'],
    ['sources'],
    ['sources', '--limit', '5'],
    ['fanouts'],
    ['tools', 'list'],
    ['whoami'],
    ['history', '--metric', 'visibility'],
  ];

  const strangers: readonly (readonly [what: string, status: number, type: string, body: string])[] = [
    ['{}', 200, 'application/json', '{}'],
    ['HTML', 200, 'text/html', '<html>hello</html>'],
    ['an empty list', 200, 'application/json', '[{"id":1}]'],
    ['a 404 page', 404, 'text/html', '<h1>Not Found</h1>'],
  ];
  for (const [what, status, type, body] of strangers) {
    it(`is reported as not an svc server if it responds with ${what}`, async () => {
      const url = await plain((_, response) =>
        response.writeHead(status, { 'Content-Type': type }).end(body),
      );
      for (const args of commands) {
        const { code, stdout, stderr } = await svc([...args, '--url', url], now.env);
        expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.contain(`${url} is not an svc server`).and.contain('--url');
      }
    });
  }

  it('is reported with the target of a redirect to another origin, which gets no request', async () => {
    const url = await plain((request, response) =>
      response.writeHead(302, { Location: now.server.url + request.url }).end(),
    );
    const { code, stderr } = await svc(['overview'], { ...now.env, SVC_URL: url });
    expect(code).to.equal(2);
    expect(stderr)
      .to.contain(`redirects to another server, ${now.server.url}.`)
      .and.contain('comes from SVC_URL')
      .and.contain(`SVC_URL=${now.server.url}`);
    saveProfile(dirname(now.home.profilesFile), 'work', { url, key: KEYS.full }, true);
    const stored = await svc(['overview'], now.home.env);
    expect(stored.stderr).to.contain(`svc login --url ${now.server.url} --profile work`);
    const inJson = await svc(['overview', '--json'], now.home.env);
    expect(JSON.parse(inJson.stdout).error.message).to.contain('comes from profile work');
    expect(now.server.requests).to.deep.equal([]);
  });

  it('is reported at once if it has the wrong scheme', async () => {
    const http = new URL(now.server.url).port;
    const secure = await svc(['overview', '--url', `https://127.0.0.1:${http}`], now.env);
    expect(secure.code).to.equal(7);
    expect(secure.stderr)
      .to.contain('does not speak https but http')
      .and.contain(`--url http://127.0.0.1:${http}`);
    const https = await listen(createTlsServer(certificate));
    const open = await svc(['overview', '--url', `http://127.0.0.1:${https}`], now.env);
    expect(open.code).to.equal(7);
    expect(open.stderr)
      .to.contain('does not speak http but https')
      .and.contain(`--url https://127.0.0.1:${https}`);
  });

  it('may omit the scheme and contain the path of an endpoint', async () => {
    const { host } = new URL(now.server.url);
    for (const url of [host, `${now.server.url}/api/v1`, `${host}/api/mcp`, `${now.server.url}/`])
      expect((await svc(['overview', '--url', url], now.env)).code, url).to.equal(0);
  });
});

describe('every request', () => {
  const now = session();

  it('has a User-Agent with the program and its version', async () => {
    for (const args of [['overview'], ['answers', '--all'], ['fanouts'], ['whoami']])
      await svc(args, now.env);
    expect(now.server.sent.length).to.be.above(3);
    for (const { 'user-agent': agent } of now.server.sent)
      expect(agent).to.match(/^svc\/\d+\.\d+\.\d+ \(node v\d+[^;]*; \w+ \w+\)$/);
  });
});
