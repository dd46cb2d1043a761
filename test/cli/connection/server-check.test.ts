import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { certificate } from '../support/certificate.js';
import { KEYS } from '../support/fake-server.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

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
