import { expect } from 'chai';
import type { BrandEntry, BrandSummary } from '../../../src/contract/reads/brands.js';
import { brandsToCount } from '../../../src/server/accounts/brands.js';
import { countNeeds } from '../../../src/server/run/need-counts.js';
import { fresh } from '../../support/hooks.js';
import { readsOf } from '../../support/reads.js';
import { OPERATOR_KEY } from '../../support/server.js';
import { marketServer, runOf } from '../answers/reads/support/market-server.js';
import { signIn } from '../web/page/support/visitor.js';

describe('the needs in the table of brands', () => {
  const server = fresh(marketServer);
  const never = new AbortController().signal;
  const count = () => {
    const { knex } = server.database;
    return countNeeds(
      knex,
      readsOf(knex, () => server.now),
      never,
    );
  };
  const summaries = async () => {
    server.pass(60_000);
    const { brands } = await server.read<{ brands: BrandEntry[] }>(
      '/api/v1/brands?include=summary',
      OPERATOR_KEY,
    );
    return new Map(brands.map(({ id, summary }) => [id, summary as BrandSummary]));
  };
  const needs = async () => (await server.read<{ needs: object[] }>('/api/v1/briefing?brand=b')).needs;

  it('are those of the briefing once they are counted, and null before', async () => {
    await server.collect(
      { type: 'brand', id: 'later', workspace: 'w', name: 'Later', domain: 'later.example' },
      runOf('r', { mentions: [] }),
    );
    expect((await summaries()).get('b')!.needs).to.equal(null);
    await count();
    const counted = (await summaries()).get('b')!.needs;
    expect(counted)
      .to.equal((await needs()).length)
      .and.to.be.above(0);
    const visitor = await signIn(server, OPERATOR_KEY);
    const table = await visitor.html('/brands?sort=needs');
    expect(table).to.match(
      new RegExp(`href="[^"]*brands/b/needs"><data value="${counted}" data-field="brands.b.summary.needs"`),
    );
  });

  it('are counted once a day, and again when the data of the brand have changed', async () => {
    await server.collect(runOf('r', { mentions: [] }));
    const { knex } = server.database;
    const waiting = async (today: string) =>
      (await brandsToCount(knex, { today, rows: 10 })).map(({ id }) => id);
    const today = server.now.toISOString().slice(0, 10);
    await count();
    expect(await waiting(today)).to.deep.equal([]);
    expect(await waiting('2026-12-24')).to.include('b');
    await server.collect(runOf('s', {}));
    expect(await waiting(today)).to.include('b');
  });

  it('of a brand without answers are not known, and do not wait for ever', async () => {
    await server.collect();
    await count();
    expect((await summaries()).get('b')!.needs).to.equal(null);
    const today = server.now.toISOString().slice(0, 10);
    expect(await brandsToCount(server.database.knex, { today, rows: 10 })).to.deep.equal([]);
  });
});
