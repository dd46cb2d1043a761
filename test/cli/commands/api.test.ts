import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { listening } from '../../support/listening.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc api', () => {
  const now = session();
  const run = (...args: string[]) => svc(['api', ...args], now.env);

  it('prints the body unchanged, of a path below /api/v1 or of the server', async () => {
    const body = now.server.body('/api/v1/overview');
    for (const args of [['GET', 'overview'], ['overview'], ['get', '/api/v1/overview']])
      expect(await run(...args)).to.deep.equal({ stdout: body, stderr: '', code: 0 });
    expect((await run('GET', 'answers?limit=3')).stdout).to.equal(now.server.body('/api/v1/answers?limit=3'));
    expect(now.server.sent[0]!.authorization).to.equal(`Bearer ${now.env.SVC_API_KEY}`);
    expect(now.server.sent[0]!['user-agent']).to.match(/^svc\//);
  });

  it('prints status and headers with --include', async () => {
    const { stdout } = await run('overview', '--include');
    expect(stdout).to.match(
      /^HTTP 200 OK\n(?:[\w-]+: .*\n)*x-ratelimit-remaining: 117\n(?:[\w-]+: .*\n)*\n\{/,
    );
    expect(stdout).to.not.contain(now.env.SVC_API_KEY);
  });

  it('prints the body of a refusal, and the message and exit code of every command', async () => {
    now.server.refuse(errors.rateLimited(3600), 'full');
    const { stdout, stderr, code } = await run('overview');
    expect(code).to.equal(6);
    expect(JSON.parse(stdout).error).to.equal(errors.rateLimited(3600).message);
    expect(stderr).to.contain(errors.rateLimited(3600).message);
    // No retry: one request is one request.
    expect(now.server.requests).to.have.length(1);
    const asJson = await run('overview', '--json');
    expect(JSON.parse(asJson.stdout).error).to.include({ code: 'rate_limited', status: 429 });
  });

  it('names the place of a refused key', async () => {
    const { code, stderr } = await svc(['api', 'overview'], { ...now.env, SVC_API_KEY: 'svc_wrong' });
    expect(code).to.equal(3);
    expect(stderr).to.contain('the key from SVC_API_KEY').and.not.contain('svc_wrong');
  });

  for (const path of [
    'https://evil.example/api/v1/overview',
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    'HTTP:evil.example',
    '/a b',
    '/a\tb',
    '\n//evil.example',
  ]) {
    it(`refuses what is not a path of the server: ${JSON.stringify(path)}`, async () => {
      const { code, stderr } = await run('GET', path);
      expect(code).to.equal(2);
      expect(stderr).to.contain('PATH is a path of the server');
      expect(now.server.requests).to.deep.equal([]);
    });
  }

  it('refuses another method, and a body of a GET', async () => {
    expect((await run('DELETE', 'overview')).stderr).to.contain(
      'Unknown method: DELETE. The API has GET and POST.',
    );
    expect((await run('POST')).stderr).to.contain('Missing argument: PATH.');
    const file = join(now.home.folder, 'log');
    writeFileSync(file, 'x');
    expect((await run('GET', 'overview', '--input', file)).stderr).to.contain('A GET request has no body');
    expect((await run('POST', 'crawler-events', '--input', `${file}s`)).stderr).to.contain(
      'cannot be read (ENOENT)',
    );
    expect(now.server.requests).to.deep.equal([]);
  });

  it('posts a file or standard input unchanged', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const received: { body: Buffer; headers: IncomingHttpHeaders; url: string }[] = [];
    const server = createServer(async (request, response) => {
      received.push({ body: await buffer(request), headers: request.headers, url: request.url! });
      response.end('{"inserted":0}');
    });
    const { url, close } = await listening(server);
    const env = { ...now.env, SVC_URL: url };
    try {
      const args = ['api', 'POST', 'crawler-events?brand=b', '--input'];
      const file = join(now.home.folder, 'log');
      writeFileSync(file, bytes);
      expect((await svc([...args, file], env)).stdout).to.equal('{"inserted":0}');
      await svc([...args, '-', '--type', 'application/json'], env, bytes);
    } finally {
      await close();
    }
    expect(received.map(({ body }) => [...body])).to.deep.equal([[...bytes], [...bytes]]);
    expect(received.map(({ url }) => url)).to.deep.equal(Array(2).fill('/api/v1/crawler-events?brand=b'));
    expect(received.map(({ headers }) => headers['content-type'])).to.deep.equal([
      'text/plain',
      'application/json',
    ]);
  });
});
