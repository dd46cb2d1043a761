import { expect } from 'chai';
import type { BrandEntry, BrandSummary } from '../../../../src/contract/reads/brands.js';
import type { BodyOf } from '../../../../src/contract/registry.js';
import { resources } from '../../../../src/contract/registry.js';
import { rankIn } from '../../../../src/contract/summary.js';
import { asMeasured } from '../../../../src/contract/unmeasured.js';
import { NOW, prompt, records, run } from '../../../rules/support/records.js';
import { onServer } from '../../../support/on-server.js';
import { randomDataset } from '../../../support/reference/index.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';

interface Listed {
  readonly brands: readonly (BrandEntry & { readonly summary: BrandSummary })[];
  readonly next_cursor?: string | null;
}

describe('the summaries of brands', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const read = <Body>(path: string): Promise<Body> => {
    server.pass(60_000);
    return server.read<Body>(`/api/v1/${path}`, OPERATOR_KEY);
  };

  /** Compares each summary with the reads of the same days. */
  async function compared(days: number): Promise<Listed['brands']> {
    const { brands } = await read<Listed>(`brands?include=summary&days=${days}`);
    for (const { id, summary } of brands) {
      const { start, end } = summary.window;
      const range = `brand=${encodeURIComponent(id)}&from=${start}&to=${end}`;
      server.pass(60_000);
      const reply = await server.request(`/api/v1/overview?${range}`, OPERATOR_KEY);
      if (reply.status === 404) {
        expect(summary).to.include({ presence_rate: null, visibility: null, rank: null, ranked: null });
        continue;
      }
      const overview = asMeasured(resources.overview.response, (await reply.json()) as BodyOf<'overview'>);
      const { competitors } = asMeasured(
        resources.competitors.response,
        await read<BodyOf<'competitors'>>(`competitors?${range}`),
      );
      const place = overview.run_count === 0 ? null : rankIn(competitors);
      const { window, presence_rate, visibility, change } = overview;
      expect(summary, `${id} in ${days} days`).to.deep.equal({
        ...{ window, presence_rate, visibility },
        change: { presence_rate: change.presence_rate },
        ...{ rank: place?.rank ?? null, ranked: place?.of ?? null, needs: null },
      });
    }
    return brands;
  }

  for (const seed of onServer([0, 1, 2, 5, 7, 11], [1, 5]))
    it(`have what overview and competitors have of the same days, whatever the data (seed ${seed})`, async () => {
      server = await testServer({ now: new Date(`${TODAY}T12:00:00Z`) });
      await server.load(randomDataset(seed, TODAY, { runs: 400 }));
      for (const days of [7, 14, 28, 56]) await compared(days);
    });

  const days = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      new Date(Date.parse(`${TODAY}T08:00:00Z`) - (from - at) * 86_400_000).toISOString(),
    );

  it('know competitors that were added late, other prompts, moves and archived brands', async () => {
    server = await testServer({ now: NOW });
    const of = (brand: string, at: string, which: string, fields: object = {}) =>
      run(brand, `${brand}-${at}-${which}`, at, { prompt: which, ...fields });
    await server.load([
      ...records,
      ...['first', 'second'].flatMap((brand) => [prompt(brand, 'p3')]),
      { type: 'competitor', id: 'rival', brand: 'first', name: 'Rival', domain: 'rival.example' },
      // The brand is named more often of late.
      ...days(27, 28).flatMap((at, day) =>
        ['p1', 'p2', 'p3'].map((which, place) =>
          of('first', at, which, {
            mentions: [
              ...(place < (day < 14 ? 1 : 3) ? [{ name: 'Brand first', order: 1 }] : []),
              { name: 'Rival', order: 2 },
            ],
          }),
        ),
      ),
      // Each window asks prompts of its own.
      ...days(27, 28).map((at, day) => of('second', at, day < 14 ? 'p1' : 'p3')),
    ]);
    const brands = await compared(14);
    const summaryOf = (id: string) => brands.find((each) => each.id === id)!.summary;
    expect(summaryOf('first')).to.include({ rank: 1, ranked: 2 });
    expect(summaryOf('first').change.presence_rate.verdict).to.equal('up');
    expect(summaryOf('second').change.presence_rate.reason).to.match(/^The prompts changed/);
    expect(summaryOf('uncollected').presence_rate).to.equal(null);
    expect(summaryOf('stopped').window.end).to.equal('2026-11-18');
    await server.load([
      { type: 'competitor', id: 'late', brand: 'first', name: 'Late', domain: 'late.example' },
    ]);
    await compared(14);
    await compared(28);
  });

  it('come with pages, only when they are asked for, and refuse what they do not know', async () => {
    server = await testServer({ now: NOW });
    await server.load(records);
    const plain = await read<Listed>('brands');
    expect(plain.brands.every(({ summary }) => summary === null)).to.equal(true);
    const page = await read<Listed>('brands?include=summary&limit=2');
    expect(page.brands).to.have.length(2);
    expect(page.next_cursor).to.be.a('string');
    const whole = await read<Listed>('brands?include=summary');
    for (const brand of page.brands)
      expect(whole.brands.find(({ id }) => id === brand.id)).to.deep.equal(brand);
    expect(whole.brands[0]!.summary.window.days).to.equal(28);
    for (const query of ['include=all', 'include=summary&days=9', 'include=summary&include=summary']) {
      const reply = await server.request(`/api/v1/brands?${query}`, OPERATOR_KEY);
      expect(reply.status, query).to.equal(400);
    }
    const csv = await (
      await server.request('/api/v1/brands?include=summary', OPERATOR_KEY, {
        headers: { Accept: 'text/csv' },
      })
    ).text();
    const [head, row] = csv.split('\n');
    expect(head).to.match(
      /^id,name,domain,archived,collection_fault,summary\.window\.start,.*,summary\.presence_rate,/,
    );
    expect(head!.split(',')).to.have.length(row!.split(',').length);
  });
});
