import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const acme = { mentions: [{ name: 'Acme', order: 1 }] };
type Body = Record<string, unknown>;

describe('a slice by surface', () => {
  const server = fresh(marketServer);
  beforeEach(async () => {
    await server.collect(
      runOf('a', { ...acme, surface: 'ui' }),
      runOf('b', { surface: 'ui', ...at('2026-11-18') }),
      runOf('c', { engine: 'aio', surface: 'serp', ...acme }),
      runOf('d', { engine: 'aio', surface: 'serp', outcome: 'not_shown' }),
      runOf('e', { engine: 'llama', surface: 'ui', region: 'gb' }),
    );
  });

  /** The body without its slice, and the statements that read runs. */
  async function read(name: string, query: string) {
    const sent: string[] = [];
    const note = ({ sql }: { sql: string }) => sent.push(sql);
    server.database.knex.on('query', note);
    const { slice: _, ...body } = await server.body<Body>(name, query);
    server.database.knex.removeListener('query', note);
    return { body, ofRuns: sent.filter((sql) => /\b(?:from|join) runs\b/.test(sql)).length };
  }

  const READS = [
    ['overview', ''],
    ['competitors', ''],
    ['metrics/history', '&metric=visibility&from=2026-11-14&to=2026-11-20'],
  ] as const;

  it('of engines that have one surface each is that of the engines, from the same roll-ups', async () => {
    for (const [name, query] of READS) {
      for (const [surface, engine] of [
        ['ui', 'chatgpt'],
        ['serp', 'aio'],
      ]) {
        const sliced = await read(name, `${query}&surface=${surface}`);
        const plain = await read(name, `${query}&engine=${engine}`);
        const { engine: _, engines: __, engine_scope: ___, ...numbers } = plain.body;
        expect(sliced.body, `${name} ${surface}`).to.deep.include({
          ...numbers,
          note: sliced.body.note,
          notes: sliced.body.notes,
        });
        // The first day with answers is looked up.
        expect(sliced.ofRuns, name).to.be.at.most(1);
      }
    }
  });

  it('of an engine with several counts the runs on the chosen one', async () => {
    await server.load([runOf('f', { surface: 'api' }), runOf('g', {})]);
    for (const [surface, runs] of [
      ['ui', 2],
      ['api', 1],
      ['api,ui', 3],
      ['serp', 1],
      ['api,ui,serp', 4],
    ] as const) {
      const { body } = await read('overview', `&surface=${surface}`);
      expect([surface, body.run_count]).to.deep.equal([surface, runs]);
    }
    expect((await read('overview', '')).body.run_count).to.equal(5);
  });

  it('with a region or a prompt counts what both choose', async () => {
    const count = async (query: string) => (await read('overview', query)).body.run_count;
    expect(await count('&surface=ui&engine=chatgpt,llama')).to.equal(3);
    expect(await count('&surface=ui&engine=chatgpt,llama&region=gb')).to.equal(1);
    expect(await count('&surface=serp&prompt=q')).to.equal(0);
    const { body } = await read('overview', '&surface=serp&prompt=p');
    expect(body.shown).to.deep.include({ shown_rate: 0.5, asked_count: 2 });
  });
});
