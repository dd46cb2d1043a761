import { expect } from 'chai';
import fc from 'fast-check';
import { OPERATOR_KEY } from '../support/server.js';
import { records, run } from './support/records.js';
import { ruleServer } from './support/rule-server.js';
import { bearer, send } from './support/wire.js';

const CSV = 'text/csv; charset=utf-8';
const JSON_TYPE = 'application/json';
const formula = '=HYPERLINK("https://evil.example")';
const data = [
  ...records,
  { type: 'prompt', id: 'p9', brand: 'first', text: formula, created_at: '2026-10-02T00:00:00Z' },
  run('first', 'r9', '2026-11-18T08:00:00Z', { prompt: 'p9' }),
];

describe('rule: Accept chooses between JSON and CSV', () => {
  const server = ruleServer({ data, clock: 'refill' });
  const PATH = '/api/v1/prompts?brand=first';

  const ask = (accept: string | undefined, path = PATH, method = 'GET', more: Record<string, string> = {}) =>
    send(server.url, path, {
      method,
      headers: { ...bearer(OPERATOR_KEY), ...(accept === undefined ? {} : { Accept: accept }), ...more },
    });

  for (const [accept, type] of [
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json, text/csv', JSON_TYPE],
    ['application/json, text/plain, */*', JSON_TYPE],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
    ['text/csv;q=0.5, application/json', JSON_TYPE],
    ['text/csv;q=0, */*', JSON_TYPE],
    ['text/html', JSON_TYPE],
    ['image/png, text/plain', JSON_TYPE],
    ['nonsense', JSON_TYPE],
    ['text/csv', CSV],
    ['TEXT/CSV', CSV],
    ['text/*', CSV],
    ['text/csv; charset=UTF-8', CSV],
    ['text/csv; header=present', CSV],
    ['text/csv, application/json', CSV],
    ['text/csv, */*', CSV],
    ['application/json;q=0.5, text/csv;q=0.6', CSV],
    ['application/json;q=0, */*', CSV],
  ] as const) {
    it(`${accept ?? 'no Accept'}: ${type}`, async () => {
      const reply = await ask(accept);
      expect([reply.status, reply.headers['content-type']]).to.deep.equal([200, type]);
      expect(reply.headers.vary).to.equal('Accept');
      expect(reply.body.startsWith('{')).to.equal(type === JSON_TYPE);
    });
  }

  it('any other text is answered too, in one of the two formats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/), async (accept) => {
        server.now = new Date(server.now.getTime() + 60_000);
        const reply = await ask(accept);
        expect(reply.status).to.equal(200);
        expect([CSV, JSON_TYPE]).to.include(reply.headers['content-type']);
      }),
      { numRuns: 60 },
    );
  });

  it('each format has its own validator, which answers 304 to requests for that format', async () => {
    const [json, csv] = [await ask(undefined), await ask('text/csv')];
    expect(csv.headers.etag)
      .to.match(/^"[\w-]+"$/)
      .and.not.equal(json.headers.etag);
    const { etag = '' } = csv.headers;
    const same = await ask('text/csv', PATH, 'GET', { 'If-None-Match': etag });
    expect([same.status, same.body, same.headers.vary]).to.deep.equal([304, '', 'Accept']);
    expect((await ask(undefined, PATH, 'GET', { 'If-None-Match': etag })).status).to.equal(200);
    expect(csv.headers['cache-control']).to.equal('private, no-cache');
  });

  it('HEAD has the headers of GET', async () => {
    const [get, head] = [await ask('text/csv'), await ask('text/csv', PATH, 'HEAD')];
    expect([head.status, head.body]).to.deep.equal([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'vary'])
      expect(head.headers[name], name).to.equal(get.headers[name]);
  });

  it('costs a token, passes the same gates, and errors are JSON', async () => {
    const [one, two] = [await ask('text/csv'), await ask('text/csv')];
    expect(Number(two.headers['x-ratelimit-remaining'])).to.equal(
      Number(one.headers['x-ratelimit-remaining']) - 1,
    );
    for (const [path, status] of [
      ['/api/v1/prompts?brand=nobody', 404],
      ['/api/v1/prompts?limit=0', 400],
      ['/api/v1/prompts?limit=1&limit=2', 400],
      ['/api/v1/nonsense', 404],
    ] as const) {
      const reply = await ask('text/csv', path);
      expect([reply.status, reply.headers['content-type']], path).to.deep.equal([status, JSON_TYPE]);
      expect(JSON.parse(reply.body)).to.have.property('error');
      expect(reply.headers.link, path).to.equal(undefined);
    }
    const stranger = await send(server.url, PATH, { headers: { Accept: 'text/csv' } });
    expect([stranger.status, stranger.headers['content-type']]).to.deep.equal([401, JSON_TYPE]);
  });

  it('the links of pages lead through every row once, in the order of the pages in JSON', async () => {
    const lines: string[] = [];
    let path: string | undefined = '/api/v1/prompts?brand=first&limit=1&unknown=%3E%0A';
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const reply = await ask('text/csv', path);
      const [, ...rows] = reply.body.trimEnd().split('\n');
      lines.push(...rows);
      const link = reply.headers.link as string | undefined;
      const target = link === undefined ? undefined : /^<(\?[^<>\s]+)>; rel="next"$/.exec(link)?.[1];
      expect(target === undefined).to.equal(link === undefined);
      if (target !== undefined) expect(target).to.include('brand=first&limit=1').and.not.include('unknown');
      path = target === undefined ? undefined : `/api/v1/prompts${target}`;
    }
    const { prompts } = await server.read<{ prompts: { id: string }[] }>(
      '/api/v1/prompts?brand=first&limit=200',
    );
    expect(lines.map((line) => line.split(',')[0])).to.deep.equal(prompts.map(({ id }) => id));
    expect(prompts).to.have.length(3);
  });

  it('the unpaged list has no link, whatever its length', async () => {
    expect((await ask('text/csv')).headers.link).to.equal(undefined);
  });

  it('a text that a spreadsheet would read as a formula has an apostrophe in front', async () => {
    expect((await ask('text/csv')).body).to.include(`"'=HYPERLINK(""https://evil.example"")"`);
  });

  it('is kept in the cache: a change behind it is not seen', async () => {
    const { body } = await ask('text/csv');
    await server.database.knex.raw("update prompts set text = 'changed' where id = 'p2'");
    expect((await ask('text/csv')).body).to.equal(body);
  });
});
