import { expect } from 'chai';
import { OPERATOR_KEY } from '../../support/server.js';
import { at, type MarketServer, marketServer, runOf } from '../reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

describe('the page of a brand', () => {
  let server: MarketServer;
  let visitor: Visitor;
  before(async () => {
    server = await marketServer();
    await server.collect(
      runOf('r1', at('2026-11-20')),
      runOf('r2', { engine: 'gemini', ...at('2026-11-16') }),
      runOf('r3', { engine: 'llama', ...at('2026-11-18') }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });
  after(() => server.close());

  const newest = async (query: string) =>
    /Newest answer: <time datetime="([^"]*)"/.exec(await visitor.html(`/brands/b${query}`))?.[1];

  it('states in the scorecard the newest day of the engines that are chosen', async () => {
    expect(await newest('')).to.equal('2026-11-20');
    expect(await newest('?engine=gemini')).to.equal('2026-11-16');
    expect(await newest('?engine=llama')).to.equal('2026-11-18');
    expect(await newest('?engine=llama,gemini&from=2026-11-16&to=2026-11-17')).to.equal('2026-11-18');
    expect(await newest('?engine=grok')).to.equal(undefined);
  });

  it('names its chart, and no read, for the values of days that have only daily statistics', async () => {
    const stat = { brand: 'b', entity: 'b', engine: 'chatgpt', run_count: 4, visibility: 40 };
    await server.collect({ type: 'daily_stat', date: '2026-05-04', ...stat });
    const page = await visitor.html('/brands/b?from=2026-05-01&to=2026-05-31');
    const words = 'only daily statistics: the chart by day has their values.';
    expect(page.split(words)).to.have.length(3);
    expect(page.replaceAll(/<[^>]*>/g, ' ')).to.not.contain('metrics/history');
  });
});
