import { expect } from 'chai';
import { parseAtomFeed } from 'feedsmith';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { runsFrom } from '../../alerts/moves/support/runs.js';
import { market } from '../../intake/dataset/support/load.js';

const PATH = '/api/v1/moves.atom';
const second = [
  { type: 'brand', id: 'z', workspace: 'w', name: 'Zed', domain: 'zed.com' },
  { type: 'prompt', id: 'z1', brand: 'z', text: 'z?' },
];

describe('GET /api/v1/moves.atom', () => {
  const { log, lines } = collectingLog();
  let key: string;
  const server = shared(() => testServer({ log, logLevel: 'trace' }));
  before(async () => {
    const fall = { before: 12, after: 4, from: '2026-11-13' };
    await server.load([...market, ...second, ...runsFrom('2026-10-20', '2026-11-19', fall)]);
    key = await server.key({ workspace: 'w', kind: 'feed', brands: ['b'] });
  });

  const feed = (query: string, init: RequestInit = {}, authorization: string | null = null) =>
    server.request(PATH + query, authorization, init);

  it('is the feed of the brand of its key, with a validator', async () => {
    const response = await feed(`?key=${key}`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('Content-Type')).to.equal('application/atom+xml; charset=utf-8');
    expect(response.headers.get('X-SVC-Key-Kind')).to.equal('feed');
    const body = await response.text();
    expect(body).to.not.include(key);
    const { title, entries = [] } = parseAtomFeed(body);
    expect(title?.value).to.equal('Acme: what moved');
    expect(entries.map((entry) => entry.title?.value).join('\n')).to.include('Presence fell');
    const again = await feed(`?key=${key}`, { headers: { 'If-None-Match': response.headers.get('ETag')! } });
    expect(again.status).to.equal(304);
    expect((await feed(`?key=${key}`, { method: 'HEAD' })).status).to.equal(200);
  });

  it('another brand does not exist for the key', async () => {
    expect((await feed(`?key=${key}&brand=z`)).status).to.equal(404);
  });

  it('its key reads nothing else', async () => {
    for (const path of ['/api/v1/brands', '/api/v1/moves', '/api/v1/overview', '/api/v1/nonsense'])
      expect((await server.request(path, key)).status, path).to.equal(403);
    const refused = await server.request('/api/v1/moves', key);
    expect(await refused.json()).to.deep.include({ code: 'feed_only' });
    const ingest = { method: 'POST', body: 'x' };
    expect((await server.request('/api/v1/crawler-events', key, ingest)).status).to.equal(403);
    expect((await server.request('/api/mcp', key, { method: 'POST', body: '{}' })).status).to.equal(403);
    expect((await server.request('/sign-in-links', key, { method: 'POST' })).status).to.be.within(400, 404);
  });

  it('no other key is taken in the address, and no key of a header', async () => {
    const read = await server.key({ workspace: 'w', kind: 'read' });
    for (const other of [read, OPERATOR_KEY]) {
      const response = await feed(`?key=${other}`);
      expect(response.status).to.equal(403);
      expect(await response.json()).to.deep.include({ code: 'not_for_addresses' });
    }
    for (const query of ['', '?key=', '?key=svc_wrong', `?key=${key}&key=${key}`])
      expect((await feed(query, {}, OPERATOR_KEY)).status, query).to.equal(401);
  });

  it('ends when the key is revoked', async () => {
    const other = await server.key({ workspace: 'w', kind: 'feed', brands: ['b'] });
    expect((await feed(`?key=${other}`)).status).to.equal(200);
    await server.database.knex.raw(
      "update api_keys set revoked_at = now() where name is null and kind = 'feed'",
    );
    server.pass();
    expect((await feed(`?key=${other}`)).status).to.equal(401);
  });

  it('no line of the log has the key', () => {
    expect(lines.length).to.be.above(5);
    expect(lines.join('')).to.not.include(key).and.not.include('svc_wrong');
  });
});
