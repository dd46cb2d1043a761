import { expect } from 'chai';
import fc from 'fast-check';
import { brandsInOrder, pageOf } from '../../../../src/server/web/page/brands-page.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { signIn } from './support/visitor.js';

const brand = (id: string, created_at: string | null, more: object = {}) => ({
  ...{ type: 'brand', id, workspace: 'w', name: `Brand ${id}`, domain: `${id}.example` },
  ...(created_at && { created_at }),
  ...more,
});

describe('the list of brands', () => {
  const server = shared(testServer);
  before(async () => {
    await server.load([
      { type: 'workspace', id: 'w', name: 'w', plan: 'growth' },
      brand('undated', null),
      brand('z-second', '2026-02-01T00:00:00Z'),
      brand('a-third', '2026-03-01T00:00:00Z'),
      brand('ended', '2026-01-01T00:00:00Z', { archived_at: '2026-06-01T00:00:00Z' }),
      brand('b-also', '2026-02-01T00:00:00Z'),
    ]);
  });

  const idsOf = (html: string) =>
    [...html.matchAll(/href="(?:\.\/|\.\.\/)+brands\/([\w-]+)(?:\?[^"]*)?"/g)].map(([, id]) => id);

  it('is in the order of creation, then of ids, without a creation time later, and archived last', async () => {
    const visitor = await signIn(server, OPERATOR_KEY);
    const order = ['b-also', 'z-second', 'a-third', 'undated', 'ended'];
    expect(idsOf(await visitor.html('/brands'))).to.deep.equal(order);
    const menu = await visitor.html('/brands/a-third');
    expect([...new Set(idsOf(menu))].filter((id) => id !== 'a-third')).to.deep.equal(
      order.filter((id) => id !== 'a-third'),
    );
  });

  it('names the client of each brand, and sorts and finds by it, where the key sees several workspaces', async () => {
    const visitor = await signIn(server, OPERATOR_KEY);
    expect(await visitor.html('/brands')).to.not.contain('Client');
    await server.load([
      { type: 'workspace', id: 'w2', name: 'Ambergris Ltd', plan: 'growth' },
      brand('theirs', '2026-05-01T00:00:00Z', { workspace: 'w2' }),
    ]);
    server.pass();
    expect(await visitor.html('/brands'))
      .to.contain('Client')
      .and.contain('Ambergris Ltd');
    expect(idsOf(await visitor.html('/brands?find=ambergris'))).to.deep.equal(['theirs']);
    expect(idsOf(await visitor.html('/brands?sort=client'))[0]).to.equal('theirs');
    const own = await signIn(server, await server.key({ workspace: 'w', kind: 'full' }));
    expect(await own.html('/brands'))
      .to.not.contain('Client')
      .and.not.contain('Ambergris');
    const names = async (key: string) => {
      type Names = { brands: { workspace_name: string | null }[] };
      const { brands } = await server.read<Names>('/api/v1/brands', key);
      return new Set(brands.map(({ workspace_name }) => workspace_name));
    };
    expect([...(await names(OPERATOR_KEY))].sort()).to.deep.equal(['Ambergris Ltd', 'w']);
    const key = await server.key({ workspace: 'w', kind: 'read' });
    expect([...(await names(key))]).to.deep.equal([null]);
    await server.database.knex.raw("delete from brands where id = 'theirs'");
    server.pass();
  });

  it('leaves the order of the API as it was: archived brands are among the others', async () => {
    const { brands } = await server.read<{ brands: { id: string }[] }>('/api/v1/brands');
    expect(brands.map(({ id }) => id)).to.deep.equal(['ended', 'b-also', 'z-second', 'a-third', 'undated']);
  });

  it('has every brand on one of its pages, in order, whatever their number', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 180 }), (archived) => {
        const all = archived.map((each, at) => ({
          id: String(at),
          name: '',
          domain: '',
          archived: each,
          collection_fault: null,
          summary: null,
          workspace_name: null,
        }));
        const ordered = brandsInOrder(all);
        const { pages } = pageOf(ordered, 1);
        const shown = Array.from({ length: pages }, (_, at) => pageOf(ordered, at + 1).brands);
        expect(shown.flat()).to.deep.equal(ordered);
        expect(pageOf(ordered, pages + 1).brands).to.deep.equal([]);
        for (const some of shown) expect(some.length).to.be.at.most(50);
      }),
    );
  });

  it('has pages with links between them', async () => {
    await server.load([
      { type: 'workspace', id: 'many', name: 'many', plan: 'growth' },
      ...Array.from({ length: 120 }, (_, at) => brand(`m${at}`, null, { workspace: 'many' })),
    ]);
    const visitor = await signIn(server, await server.key({ workspace: 'many', kind: 'read' }));
    const second = await visitor.html('/brands?page=2');
    expect(second).to.contain('Page 2 of 3').and.contain('Earlier brands').and.contain('More brands');
    expect(idsOf(second).length).to.equal(50);
    expect((await visitor.get('/brands?page=99')).status).to.equal(404);
    const last = await visitor.html('/brands?page=3');
    expect(last).to.contain('Page 3 of 3').and.not.contain('More brands');
  });
});
