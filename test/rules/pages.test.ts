import { expect } from 'chai';
import fc from 'fast-check';
import { comparison } from '../../src/contract/order.js';
import { resources } from '../../src/contract/registry.js';
import { prompt, run } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

type Row = Record<string, string>;
type Page = Record<string, Row[]> & { next_cursor?: string | null };

/** The key of a row, the number of rows in the data below, and the number of rows of the unpaged read. */
const listings = {
  brands: { idOf: (row: Row) => row.id!, total: 9, unpaged: 9 },
  prompts: { idOf: (row: Row) => row.id!, total: 31, unpaged: 31 },
  competitors: { idOf: (row: Row) => row.id!, total: 13, unpaged: 13 },
  sources: { idOf: (row: Row) => row.domain!, total: 27, unpaged: 20 },
  urls: { idOf: (row: Row) => row.url!, total: 81, unpaged: 50 },
  answers: { idOf: (row: Row) => row.id!, total: 230, unpaged: 200 },
  names: { idOf: (row: Row) => row.name!, total: 60, unpaged: 50 },
} as const;
type List = keyof typeof listings;
const names = Object.keys(listings) as List[];

const range = (length: number) => Array.from({ length }, (_, i) => i);
const domain = 'own.example';
const records = [
  { type: 'workspace', id: 'w', name: 'W', plan: 'trial' },
  ...range(9).map((i) => ({ type: 'brand', id: `b${i}`, workspace: 'w', name: `B${i}`, domain })),
  ...range(12).map((i) => ({ type: 'competitor', id: `c${i}`, brand: 'b0', name: `Rival ${i}` })),
  ...range(30).map((i) => prompt('b0', `P-${i * 7}`)),
  prompt('b0', 'p1'),
  ...range(230).map((i) =>
    run('b0', `${i % 3 ? 'r' : 'R'}${i}`, `2026-11-${15 + (i % 6)}T0${i % 10}:00:00Z`, {
      mentions: [
        { name: `Rival ${i % 12}`, order: 1 },
        { name: `Nobody ${i % 60}`, order: 2 },
      ],
      citations: [{ url: `https://site-${i % 27}.example/${i % 81}` }],
    }),
  ),
  // The week before, so that pages cited equally often differ by then.
  ...range(20).map((i) =>
    run('b0', `q${i}`, `2026-11-10T0${i % 10}:00:00Z`, {
      mentions: [{ name: 'Rival 1', order: 1 }],
      citations: [{ url: `https://site-${(i * 4) % 27}.example/${(i * 4) % 81}` }],
    }),
  ),
];

describe('rule: pages walk the whole listing in a stable order', () => {
  const server = ruleServer({ data: records, clock: 'refill' });

  /** All pages of a list, each after the other. */
  async function walk(name: List, limit: number | undefined): Promise<Page[]> {
    const pages: Page[] = [];
    const size = limit === undefined ? '' : `&limit=${limit}`;
    let cursor: string | null | undefined;
    do {
      const query = cursor === undefined ? `limit=${limit ?? 50}` : `cursor=${cursor}${size}`;
      const page = await server.read<Page>(`/api/v1/${name}?brand=b0&${query}`);
      pages.push(page);
      cursor = page.next_cursor;
      server.now = new Date(server.now.getTime() + 500);
    } while (cursor != null);
    return pages;
  }
  const rowsOf = (name: List, pages: Page[]) => pages.flatMap((page) => page[name]!);
  const byCodePoint = (ids: string[]) => [...ids].sort((a, b) => (a < b ? -1 : 1));

  for (const name of names) {
    const { idOf, total, unpaged } = listings[name];

    it(`${name}: every row once, in the order of the contract`, async () => {
      const rows = rowsOf(name, await walk(name, 7));
      const ids = rows.map(idOf);
      expect(new Set(ids).size).to.equal(ids.length);
      expect(ids).to.have.lengthOf(total);
      if (name !== 'answers') {
        expect(ids).to.deep.equal(byCodePoint(ids));
        return;
      }
      const places = rows.map((row) => `${row.date} ${row.id}`);
      expect(places).to.deep.equal(byCodePoint(places).reverse());
    });

    it(`${name}: the unpaged rows are among them, field by field, and are all of them up to the cap`, async () => {
      const plain = await server.read<Page>(`/api/v1/${name}?brand=b0`);
      expect(plain).to.not.have.property('next_cursor');
      const paged = new Map(rowsOf(name, await walk(name, 50)).map((row) => [idOf(row), row]));
      expect(plain[name]).to.have.lengthOf(unpaged);
      for (const row of plain[name]!) expect(paged.get(idOf(row))).to.deep.equal(row);
    });

    it(`${name}: a page is the plain envelope and next_cursor, null only on the last page`, async () => {
      const plain = await server.read<Page>(`/api/v1/${name}?brand=b0`);
      const pages = await walk(name, 6);
      for (const page of pages) {
        expect(Object.keys(page)).to.deep.equal([...Object.keys(plain), 'next_cursor']);
        for (const field of Object.keys(plain).filter((each) => each !== name)) {
          expect(page[field]).to.deep.equal(plain[field]);
        }
      }
      expect(pages.map((page) => page.next_cursor === null)).to.deep.equal(
        pages.map((_, i) => i === pages.length - 1),
      );
    });

    it(`${name}: a last page that is exactly full has no next one`, async () => {
      if (total > 200) return;
      const [only, ...more] = await walk(name, total);
      expect([only![name]!.length, only!.next_cursor, more]).to.deep.equal([total, null, []]);
    });
  }

  for (const name of ['sources', 'urls', 'names'] as const) {
    it(`${name}: the unpaged rows are the first of all in the order that the contract states`, async () => {
      const plain = await server.read<Page>(`/api/v1/${name}?brand=b0`);
      const all = rowsOf(name, await walk(name, 50)).sort(comparison(resources[name].order));
      expect(plain[name]).to.deep.equal(all.slice(0, listings[name].unpaged));
    });
  }

  it('any limit from 1 to 200 leads to the same rows in the same order', async () => {
    const whole = new Map<List, Row[]>();
    for (const name of names) whole.set(name, rowsOf(name, await walk(name, 200)));
    const cases = fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 200 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([name, limit]) => {
        const size = Math.max(limit, Math.ceil(listings[name].total / 20));
        const pages = await walk(name, size);
        expect(rowsOf(name, pages)).to.deep.equal(whole.get(name));
        for (const page of pages.slice(0, -1)) expect(page[name]).to.have.lengthOf(size);
      }),
      { numRuns: 30, examples: [[['brands', 1]], [['brands', 200]]] },
    );
  });

  it('without a limit a page has 50 rows', async () => {
    const [, second] = await walk('answers', undefined);
    expect(second!.answers).to.have.lengthOf(50);
  });

  it('a cursor stays valid when rows are added and removed: no row is returned twice', async () => {
    const path = '/api/v1/prompts?brand=b0&limit=5';
    const first = await server.read<Page>(path);
    await server.load([prompt('b0', 'P-00')]);
    server.pass();
    const next = await server.read<Page>(`${path}&cursor=${first.next_cursor}`);
    const ids = new Set(first.prompts!.map((row) => row.id));
    expect(next.prompts!.filter((row) => ids.has(row.id))).to.deep.equal([]);
  });
});
