/** Runs without an answer: stored apart from answers, moved when they get one, and in no number but `shown`. */
import { expect } from 'chai';
import type { Read } from '../../../../src/contract/read.js';
import { resources } from '../../../../src/contract/registry.js';
import { exportDataset } from '../../../../src/server/intake/dataset/export.js';
import { fresh } from '../../../support/hooks.js';
import { market, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { refusal } from './support/load.js';
import { tablesOf } from './support/tables.js';

const acme = { mentions: [{ name: 'Acme', order: 1 }], citations: [{ url: 'https://acme.com/' }] };
const unshown = (id: string, rest = {}) => runOf(id, { engine: 'aio', outcome: 'not_shown', ...rest });
const shown = (id: string, rest = {}) => runOf(id, { engine: 'aio', answer: 'Acme.', ...acme, ...rest });

describe('runs that were not shown', () => {
  const server = fresh(marketServer);

  const outcomeOf = async () => (await server.body<{ shown: unknown }>('overview')).shown;
  const everyRead = async () => {
    const bodies: Record<string, object> = {};
    for (const [name, read] of Object.entries<Read>(resources)) {
      if (!('brand' in read.params) || 'run_id' in read.params || name.includes('fact-check')) continue;
      const metric = 'metric' in read.params ? '&metric=visibility' : '';
      const url = 'url' in read.params ? '&url=https://acme.com/' : '';
      const step = 'since' in read.params ? '&since=2026-11-10&prompt=p' : '';
      const body = await server.body<object>(name, metric + url + step);
      const overview = 'overview' in body && { overview: { ...(body.overview as object), shown: null } };
      bodies[name] = { ...body, ...overview, shown: null };
    }
    return bodies;
  };

  it('change no read but how often an answer was shown', async () => {
    await server.collect(runOf('g', acme), shown('a'), shown('b', { prompt: 'q' }));
    const before = await everyRead();
    expect(await outcomeOf()).to.equal(null);
    await server.load([unshown('x'), unshown('y', { prompt: 'q', surface: 'serp', observes: ['ads'] })]);
    expect(await everyRead()).to.deep.equal(before);
    expect(Object.keys(before).length).to.be.above(10);
    expect(await outcomeOf()).to.deep.equal({ shown_rate: 0.5, interval: null, asked_count: 4 });
    const { answers } = await server.body<{ answers: { id: string }[] }>('answers');
    expect(answers.map(({ id }) => id).sort()).to.deep.equal(['a', 'b', 'g']);
  });

  it('are asked without an answer where an engine shows nothing at all', async () => {
    await server.collect(runOf('g'), unshown('x'), unshown('y'));
    expect(await outcomeOf()).to.deep.equal({ shown_rate: 0, interval: null, asked_count: 2 });
    const aio = await server.body<Record<string, unknown>>('overview', '&engine=aio');
    expect(aio).to.deep.include({ run_count: 0, measured: null, surfaces: [] });
  });

  it('become answers, and answers become runs without one, in any order of imports', async () => {
    await server.collect(shown('a', { carousels: [{ placements: [] }] }), unshown('b'), shown('c'));
    await server.load([unshown('a'), shown('b', { outcome: 'answered' })]);
    const moved = await tablesOf(server.database.knex);
    expect(moved.carousels).to.deep.equal([]);
    const other = await marketServer();
    try {
      await other.collect(unshown('a'), shown('b', { outcome: 'answered' }), shown('c'));
      const fresh = await tablesOf(other.database.knex);
      for (const table of ['runs', 'unshown_runs', 'run_answers', 'day_scope', 'day_entity', 'day_outcomes'])
        expect(moved[table], table).to.deep.equal(fresh[table]);
    } finally {
      await other.close();
    }
    const exported: unknown[] = [];
    for await (const record of exportDataset(server.database.knex))
      if (record.type === 'run') exported.push([record.id, record.outcome]);
    expect(exported).to.deep.equal([
      ['b', 'answered'],
      ['c', undefined],
      ['a', 'not_shown'],
    ]);
  });

  it('have nothing of an answer, and one id is one run', async () => {
    const { knex } = server.database;
    for (const part of [
      acme,
      { ad: {} },
      { answer: '' },
      { fanouts: ['crm'] },
      { carousels: [{ placements: [] }] },
    ])
      expect(
        await refusal(knex, [...market, unshown('x', { observes: ['ads', 'carousels'], ...part })]),
      ).to.contain('where nothing was shown');
    expect(await refusal(knex, [...market, unshown('x'), shown('x')])).to.contain('expected the same run');
  });
});
