import { expect } from 'chai';
import { OPERATOR_KEY } from '../support/server.js';
import { plainReads } from './support/reads.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send } from './support/wire.js';

describe('rule: an unchanged read is 304', () => {
  const server = ruleServer({ clock: 'refill' });

  const ask = (headers: Record<string, string> = {}, method = 'GET', path = '/api/v1/prompts?brand=first') =>
    send(server.url, path, { method, headers: { ...bearer(OPERATOR_KEY), ...headers } });

  it('every read has a strong ETag, the same for the same bytes', async () => {
    for (const name of plainReads) {
      const path = `/api/v1/${name}?brand=first`;
      const [one, two] = [await ask({}, 'GET', path), await ask({}, 'GET', path)];
      expect(one.headers.etag, name).to.match(/^"[\w-]+"$/);
      expect(two.headers.etag).to.equal(one.headers.etag);
      expect(two.body).to.equal(one.body);
    }
    const tags = await Promise.all(
      ['first', 'second'].map(
        async (id) => (await ask({}, 'GET', `/api/v1/overview?brand=${id}`)).headers.etag,
      ),
    );
    expect(tags[0]).to.not.equal(tags[1]);
  });

  it('If-None-Match with the tag, the weak tag, a list with it, or * is 304 without a body', async () => {
    const { etag = '' } = (await ask()).headers;
    for (const wanted of [etag, `W/${etag}`, `"x", ${etag}`, `${etag},"y"`, '*']) {
      const reply = await ask({ 'If-None-Match': wanted });
      expect([reply.status, reply.body], wanted).to.deep.equal([304, '']);
      expect(reply.headers.etag).to.equal(etag);
      expect(reply.headers['cache-control']).to.equal('private, no-cache');
      expect(reply.headers).to.not.have.any.keys('content-type', 'content-length');
    }
    for (const other of ['"x"', etag.replaceAll('"', ''), '"*"', '']) {
      expect((await ask({ 'If-None-Match': other })).status, other).to.equal(200);
    }
  });

  it('Cache-Control of the request, which fetch adds, does not matter', async () => {
    const { etag = '' } = (await ask()).headers;
    const stale = await ask({ 'If-None-Match': etag, 'Cache-Control': 'no-cache', Pragma: 'no-cache' });
    expect(stale.status).to.equal(304);
    const fetched = await server.request('/api/v1/prompts?brand=first', OPERATOR_KEY, {
      headers: { 'If-None-Match': etag },
    });
    expect([fetched.status, await fetched.text()]).to.deep.equal([304, '']);
  });

  it('a 304 costs a token as any answer does', async () => {
    const before = await ask();
    const reply = await ask({ 'If-None-Match': before.headers.etag! });
    expect(reply.status).to.equal(304);
    expect(Number(reply.headers['x-ratelimit-remaining'])).to.equal(
      Number(before.headers['x-ratelimit-remaining']) - 1,
    );
  });

  it('a condition does not hide a refusal', async () => {
    expect((await ask({ 'If-None-Match': '*' }, 'GET', '/api/v1/prompts?brand=nobody')).status).to.equal(404);
    expect((await ask({ 'If-None-Match': '*' }, 'GET', '/api/v1/prompts?limit=0')).status).to.equal(400);
  });

  it('HEAD is GET without the body: status, headers and cost', async () => {
    for (const path of [
      '/api/v1/prompts',
      '/api/v1/prompts?limit=0',
      '/api/v1/nonsense',
      '/api/v1/urls?brand=x',
    ]) {
      const get = await ask({}, 'GET', path);
      const head = await ask({}, 'HEAD', path);
      expect(head.body).to.equal('');
      expect(head.status, path).to.equal(get.status);
      for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'x-svc-key-kind']) {
        expect(head.headers[name], `${name} of ${path}`).to.equal(get.headers[name]);
      }
      expect(Number(head.headers['x-ratelimit-remaining'])).to.equal(
        Number(get.headers['x-ratelimit-remaining']) - 1,
      );
    }
    const { etag = '' } = (await ask()).headers;
    expect((await ask({ 'If-None-Match': etag }, 'HEAD')).status).to.equal(304);
  });
});
