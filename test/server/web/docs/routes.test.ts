import { expect } from 'chai';
import { definitionsDocument } from '../../../../src/contract/explanations.js';
import { openApiDocument } from '../../../../src/server/web/openapi/document.js';
import { send } from '../../../rules/support/wire.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

describe('/openapi.json and /docs', () => {
  const server = shared(() => testServer({ operatorKey: null, publicUrl: 'https://metrics.example' }));

  const get = (path: string, init: RequestInit = {}) =>
    server.request(path, null, { redirect: 'manual', ...init });

  it('need no key, also while the API is off', async () => {
    const response = await get('/openapi.json');
    expect(response.status).to.equal(200);
    expect(response.headers.get('Content-Type')).to.equal('application/json');
    expect(await response.json()).to.deep.equal(
      JSON.parse(JSON.stringify(openApiDocument('https://metrics.example'))),
    );
    expect((await get('/docs')).status).to.equal(200);
  });

  it('have a validator, accept HEAD, and refuse other methods', async () => {
    for (const path of [
      ...['/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/docs/page.css'],
      ...['/docs/metrics', '/docs/metrics.json', '/docs/metrics.css'],
    ]) {
      const response = await get(path);
      const etag = response.headers.get('ETag')!;
      expect(etag, path).to.match(/^"[\w-]+"$/);
      expect(response.headers.get('Cache-Control'), path).to.equal('no-cache');
      const again = await get(path, { headers: { 'If-None-Match': etag } });
      expect([again.status, await again.text()], path).to.deep.equal([304, '']);
      const head = await get(path, { method: 'HEAD' });
      expect([head.status, await head.text()], path).to.deep.equal([200, '']);
      expect(head.headers.get('ETag'), path).to.equal(etag);
      const posted = await get(path, { method: 'POST' });
      expect([posted.status, posted.headers.get('Allow')], path).to.deep.equal([405, 'GET, HEAD']);
    }
  });

  it('the page has a policy without inline scripts and other hosts, and follows it', async () => {
    const response = await get('/docs');
    expect(response.headers.get('Content-Security-Policy')).to.equal(CSP);
    const html = await response.text();
    expect(html).to.not.match(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:/);
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(files).to.include.members(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/page.js']);
    for (const file of files.filter((each) => !each.startsWith('data:'))) {
      const loaded = await get(`/${file}`);
      expect(loaded.status, file).to.equal(200);
      expect(loaded.headers.get('X-Content-Type-Options'), file).to.equal('nosniff');
      expect(loaded.headers.get('Content-Type')).to.match(
        /^(?:text\/(?:css|javascript|html); charset=utf-8|application\/json)$/,
      );
    }
    expect(await (await get('/docs/page.js')).text()).to.include("url: 'openapi.json'");
  });

  it('a slash at the end leads to the page, whose links are relative', async () => {
    for (const path of ['/docs', '/docs/metrics']) {
      const response = await get(`${path}/`);
      expect(response.status).to.equal(308);
      expect(new URL(response.headers.get('Location')!, `${server.url}${path}/`).pathname).to.equal(path);
    }
  });

  it('the page of the metrics defines each number, by the same policy and without scripts', async () => {
    const response = await get('/docs/metrics');
    expect(response.headers.get('Content-Security-Policy')).to.equal(CSP);
    expect(response.headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).to.match(/^<!doctype html>\n<html lang="en">/);
    expect(html).to.not.match(/<script|<style|\bstyle=|\bon\w+=|https?:/);
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const link of new Set(links.filter((each) => !each.startsWith('data:')))) {
      if (link.startsWith('#')) expect(ids.has(link.slice(1)), link).to.equal(true);
      else
        expect((await get(new URL(link, `${server.url}/docs/metrics`).pathname)).status, link).to.equal(200);
    }
    for (const { name, what } of definitionsDocument().definitions)
      expect(html).to.include(`<code>${name}</code>`).and.include(what);
  });

  it('the definitions are served as JSON, without a key', async () => {
    const response = await get('/docs/metrics.json');
    expect(response.headers.get('Content-Type')).to.equal('application/json');
    expect(await response.json()).to.deep.equal(JSON.parse(JSON.stringify(definitionsDocument())));
  });

  it('serve no other file', async () => {
    for (const path of [
      '/docs/index.html',
      '/docs/LICENSE',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
    ])
      expect((await send(server.url, path)).status, path).to.equal(404);
  });
});
