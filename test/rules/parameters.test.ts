import { expect } from 'chai';
import fc from 'fast-check';
import { lists, plainReads } from './support/reads.js';
import { ruleServer } from './support/rule-server.js';

describe('rule: a parameter is accepted in its documented forms or refused with a message', () => {
  const server = ruleServer({ clock: 'refill' });

  async function refusal(path: string): Promise<string> {
    const reply = await server.request(path);
    expect(reply.status, path).to.equal(400);
    const body = (await reply.json()) as { error: string; parameters: string[] };
    expect(Object.keys(body)).to.deep.equal(['error', 'code', 'parameters']);
    const { searchParams } = new URL(path, 'http://localhost');
    expect(body.parameters.every((name) => searchParams.has(name))).to.equal(true);
    return body.error;
  }
  const cursorOf = async (path: string) =>
    (await server.read<{ next_cursor: string | null }>(path)).next_cursor!;

  const badLimits: [written: string, shown: string][] = [
    ['0', '0'],
    ['201', '201'],
    ['-1', '-1'],
    ['1.5', '1.5'],
    ['1e2', '1e2'],
    ['0x10', '0x10'],
    ['ten', 'ten'],
    ['', '(empty)'],
    ['%20', ' '],
    ['10%20', '10 '],
    ['NaN', 'NaN'],
    ['%D9%A1', '١'],
    ['99999999999999999999', '99999999999999999999'],
  ];
  for (const [written, shown] of badLimits) {
    it(`limit=${written} is refused on every list`, async () => {
      for (const name of lists) {
        expect(await refusal(`/api/v1/${name}?limit=${written}`)).to.equal(
          `Invalid limit: ${shown}. Give an integer from 1 to 200.`,
        );
      }
    });
  }

  it('no integer outside 1 to 200 passes, and every one inside does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.integer({ min: -5, max: 210 }), fc.integer()), async (limit) => {
        server.now = new Date(server.now.getTime() + 1000);
        const reply = await server.request(`/api/v1/sources?brand=first&limit=${limit}`);
        expect(reply.status).to.equal(limit >= 1 && limit <= 200 ? 200 : 400);
      }),
      { numRuns: 60 },
    );
  });

  it('an error shortens a long value', async () => {
    expect(await refusal(`/api/v1/prompts?limit=${'9'.repeat(5000)}`)).to.equal(
      `Invalid limit: ${'9'.repeat(80)}…. Give an integer from 1 to 200.`,
    );
  });

  it('every kind of invalid cursor is refused', async () => {
    const ours = await cursorOf('/api/v1/prompts?brand=first&limit=1');
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [version, resource, brand, place] = JSON.parse(
      Buffer.from(ours, 'base64url').toString(),
    ) as string[];
    const tampered = [
      'nonsense',
      ours.slice(0, -1),
      ours.slice(1),
      `${ours}A`,
      `${ours}=`,
      ` ${ours}`,
      `${ours}.${ours}`,
      json([version, resource, brand]),
      json([version, resource, brand, place, place]),
      json([99, resource, brand, place]),
      json([version, resource, brand, 1]),
      json([version, resource, brand, null]),
      json([version, resource, brand, ['p1']]),
      json([version, resource, brand, 'p1\u0000']),
      json({ version, resource, brand, place }),
      json(null),
      json('p1'),
      'W10',
    ];
    for (const cursor of tampered) {
      expect(await refusal(`/api/v1/prompts?brand=first&cursor=${encodeURIComponent(cursor)}`)).to.equal(
        `Invalid cursor: ${cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor}. Give the next_cursor of a page of prompts of the same brand.`,
      );
    }
    expect(await refusal('/api/v1/prompts?cursor=')).to.match(/^Invalid cursor: \(empty\)\. /);
  });

  it('a cursor of answers with a day that does not exist is refused without a query', async () => {
    const json = (day: string) =>
      Buffer.from(JSON.stringify([1, 'answers', 'first', day, 'r1'])).toString('base64url');
    for (const day of ['2026-99-99', '2026-02-30', '0000-01-01', '2026-11-17x', 'infinity', 'today', '']) {
      await refusal(`/api/v1/answers?brand=first&cursor=${json(day)}`);
    }
    expect(
      (await server.request(`/api/v1/answers?brand=first&cursor=${json('2026-11-17')}`)).status,
    ).to.equal(200);
  });

  it('no changed byte of a cursor ends in anything but a page or a 400', async () => {
    const cursor = await cursorOf('/api/v1/answers?brand=first&limit=1');
    const change = fc.tuple(fc.nat(cursor.length - 1), fc.constantFrom(...'ABCxyz019-_'));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        server.now = new Date(server.now.getTime() + 1000);
        const letters = [...cursor];
        for (const [at, letter] of changes) letters[at] = letter;
        const reply = await server.request(`/api/v1/answers?brand=first&cursor=${letters.join('')}`);
        expect(reply.status).to.be.oneOf([200, 400]);
      }),
      { numRuns: 150 },
    );
  });

  it('a cursor belongs to its resource and its brand', async () => {
    const ours = await cursorOf('/api/v1/prompts?brand=first&limit=1');
    for (const name of lists.filter((each) => each !== 'prompts')) {
      expect(await refusal(`/api/v1/${name}?brand=first&cursor=${ours}`)).to.match(/^Invalid cursor: /);
    }
    expect(await refusal(`/api/v1/prompts?brand=second&cursor=${ours}`)).to.match(/^Invalid cursor: /);
    const page = await server.read<{ prompts: { id: string }[] }>(
      `/api/v1/prompts?brand=first&cursor=${ours}`,
    );
    expect(page.prompts.map((row) => row.id)).to.deep.equal(['p2']);
  });

  it('the default brand counts as named: its cursors are the same', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    const named = await server.read('/api/v1/prompts?brand=first&limit=1', key);
    const byDefault = await server.read('/api/v1/prompts?limit=1', key);
    expect(byDefault.next_cursor).to.equal(named.next_cursor);
    expect((await server.request(`/api/v1/prompts?cursor=${named.next_cursor}`, key)).status).to.equal(200);
    expect(await refusal(`/api/v1/prompts?cursor=${named.next_cursor}`)).to.match(/^Invalid cursor: /);
  });

  it('a parameter given twice is refused, equal values too', async () => {
    expect(await refusal('/api/v1/prompts?limit=1&limit=1')).to.equal(
      'Parameter limit was given 2 times. Give it once.',
    );
    expect(await refusal('/api/v1/overview?brand=first&brand=first&brand=nobody')).to.equal(
      'Parameter brand was given 3 times. Give it once.',
    );
    expect(await refusal('/api/v1/urls?cursor=&cursor=')).to.equal(
      'Parameter cursor was given 2 times. Give it once.',
    );
  });

  it('a parameter that a read does not have is ignored, given twice or not', async () => {
    for (const name of plainReads) {
      expect((await server.request(`/api/v1/${name}?foo=1&foo=2&Limit=0&BRAND=x`)).status, name).to.equal(
        200,
      );
    }
    for (const query of ['limit=0&cursor=x', 'limit=1&limit=2']) {
      expect((await server.request(`/api/v1/overview?${query}`)).status).to.equal(200);
    }
    expect((await server.request('/api/v1/brands?brand=nobody&brand=x')).status).to.equal(200);
  });

  it('an error never echoes markup as anything but JSON', async () => {
    const reply = await server.request('/api/v1/prompts?limit=%3Cscript%3E');
    expect(reply.headers.get('Content-Type')).to.equal('application/json');
  });
});
