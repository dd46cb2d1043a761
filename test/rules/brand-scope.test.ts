import { expect } from 'chai';
import { testServer } from '../support/server.js';
import { optionalReads, plainReads } from './support/reads.js';
import { records, undatedRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

interface Branded {
  brand: { id: string };
}
interface Listed {
  brands: { id: string; archived: boolean }[];
}

/** Reads without an empty form: a brand without any collected run is unknown to them. */
const NEED_RUNS = [
  ...['overview', 'prompts', 'competitors', 'sources', 'answers', 'shopping', 'shopping-trend'],
  ...['gaps', 'why', 'briefing', 'names'],
];

/** What a read needs besides the brand. */
const NEEDED: { readonly [name: string]: string } = { effect: 'since=2026-11-18&prompt=p1' };

describe('rule: a key sees its brands, and the oldest of them is the default', () => {
  const server = ruleServer({ data: [...records, ...undatedRecords] });

  const defaultOf = async (key?: string) => (await server.read<Branded>('/api/v1/urls', key)).brand.id;
  const listOf = async (key?: string) =>
    (await server.read<Listed>('/api/v1/brands', key)).brands.map((each) => each.id);

  it('a key of a workspace sees all of its brands, oldest first', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    expect(await listOf(key)).to.deep.equal(['first', 'second', 'stopped', 'uncollected']);
    expect(await defaultOf(key)).to.equal('first');
  });

  it('a key of some brands sees only those, in the list and in its pages', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full', brands: ['stopped', 'second'] });
    expect(await listOf(key)).to.deep.equal(['second', 'stopped']);
    const page = await server.read<Listed>('/api/v1/brands?limit=200', key);
    expect(page.brands.map((each) => each.id)).to.deep.equal(['second', 'stopped']);
    expect(await defaultOf(key)).to.equal('second');
    expect((await server.request('/api/v1/overview?brand=stopped', key)).status).to.equal(200);
    expect((await server.request('/api/v1/overview?brand=first', key)).status).to.equal(404);
  });

  it('the operator sees every brand of every workspace', async () => {
    expect(await listOf()).to.include.members(['foreign', 'first', 'tie-a']);
    expect(await defaultOf()).to.equal('foreign');
    expect((await server.read<Branded>('/api/v1/overview?brand=second')).brand.id).to.equal('second');
  });

  it('brands of one age are ordered by id, those of unknown age are last', async () => {
    const key = await server.key({ workspace: 'ties', kind: 'full' });
    expect(await listOf(key)).to.deep.equal(['tie-a', 'tie-b', 'a-undated']);
    expect(await defaultOf(key)).to.equal('tie-a');
    const some = await server.key({ workspace: 'ties', kind: 'full', brands: ['a-undated', 'tie-b'] });
    expect(await defaultOf(some)).to.equal('tie-b');
  });

  it('without a brand in scope every read is 404 No brands exist, named or not', async () => {
    const key = await server.key({ workspace: 'bare', kind: 'full' });
    for (const name of optionalReads) {
      for (const query of ['', '?brand=first', '?brand=', '?limit=0', '?brand=a&brand=b']) {
        const reply = await server.request(`/api/v1/${name}${query}`, key);
        expect([reply.status, await reply.text()], name + query).to.deep.equal([
          404,
          '{"error":"No brands exist","code":"no_brands"}',
        ]);
      }
    }
  });

  it('a brand never collected is unknown where a read needs runs, and answers elsewhere', async () => {
    const only = await server.key({ workspace: 'w', kind: 'full', brands: ['uncollected'] });
    for (const name of plainReads) {
      for (const [query, key] of [
        ['', only],
        ['?brand=uncollected', undefined],
      ] as const) {
        const reply = await server.request(`/api/v1/${name}${query}`, key);
        expect(reply.status, name).to.equal(NEED_RUNS.includes(name) ? 404 : 200);
        if (reply.status === 404)
          expect(await reply.text()).to.equal('{"error":"Unknown brand","code":"unknown_brand"}');
        else await reply.arrayBuffer();
      }
    }
    const urls = await server.read<{ urls: unknown[] }>('/api/v1/urls?brand=uncollected');
    expect(urls.urls).to.deep.equal([]);
  });

  it('an archived brand is listed as such and keeps answering every read', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    const { brands } = await server.read<Listed>('/api/v1/brands', key);
    expect(brands.filter((each) => each.archived).map((each) => each.id)).to.deep.equal(['stopped']);
    for (const name of optionalReads) {
      expect(
        (await server.request(`/api/v1/${name}?brand=stopped&${NEEDED[name] ?? ''}`, key)).status,
        name,
      ).to.equal(200);
    }
  });

  it('a brand with runs and none in the window measures nothing: zeros with a note, null elsewhere', async () => {
    const later = await testServer({ now: new Date('2027-02-01T00:00:00Z'), database: server.database });
    const overview = await later.read('/api/v1/overview?brand=first');
    expect(overview).to.deep.include({
      run_count: 0,
      visibility: 0,
      presence_rate: 0,
      share_of_voice: 0,
      share_of_voice_fraction: 0,
      citation_share: null,
      sentiment_index: null,
      avg_position: null,
      low_confidence: true,
      has_prior_window: false,
    });
    expect(overview.note).to.be.a('string').and.not.equal('');
    const { prompts } = await later.read<{ prompts: object[] }>('/api/v1/prompts?brand=first');
    for (const row of prompts) {
      expect(row).to.include({ presence_rate: null, visibility: null, avg_position: null, run_count: 0 });
    }
    await later.close();
  });

  it('sampled and absent is 0 with a run count; not sampled is null without one', async () => {
    const { prompts } = await server.read<{ prompts: object[] }>('/api/v1/prompts?brand=first');
    expect(prompts[0]).to.include({ id: 'p1', presence_rate: 0.5, visibility: 50, run_count: 2 });
    expect(prompts[1]).to.include({ id: 'p2', presence_rate: null, visibility: null, run_count: 0 });
  });

  it('read keys read; ingest keys do not', async () => {
    const read = await server.key({ workspace: 'w', kind: 'read' });
    const ingest = await server.key({ workspace: 'w', kind: 'ingest' });
    for (const name of optionalReads) {
      expect((await server.request(`/api/v1/${name}?${NEEDED[name] ?? ''}`, read)).status, name).to.equal(
        200,
      );
      expect((await server.request(`/api/v1/${name}?${NEEDED[name] ?? ''}`, ingest)).status, name).to.equal(
        403,
      );
    }
  });
});
