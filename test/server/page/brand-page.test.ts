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

  const NO_ANSWERS = '?from=2026-11-06&to=2026-11-12';

  it('states its days in every block, also where no answer was ever collected', async () => {
    for (const query of ['', '&engine=grok', '&engine=gemini']) {
      const blocks = (await visitor.html(`/brands/b${NO_ANSWERS}${query}`)).split('<section ').slice(1);
      const without = blocks.filter((block) => !block.includes('6 Nov – 12 Nov 2026'));
      const ids = without.map((block) => /id="([^"]*)"/.exec(block)?.[1]);
      expect(ids, query).to.deep.equal(['actions']);
    }
  });

  it('has notes in words, without fields, requests and terms of the API', async () => {
    const term =
      /\bnull\b|\bPOST\b|\/api\/|[a-z]_[a-z]|\bslice\b|\bscope\b|horizon|No trend|\d{4}-\d\d|<bdi><\/bdi>/;
    for (const query of ['', '?engine=grok', NO_ANSWERS, `${NO_ANSWERS}&engine=grok`]) {
      const html = await visitor.html(`/brands/b${query}`);
      for (const [, note] of html.matchAll(/<p class="(?:note|empty)">(.*?)<\/p>/gs))
        expect(note, query).to.not.match(term);
    }
  });

  it('counts one thing as one', async () => {
    const text = (await visitor.html('/brands/b?engine=gemini')).replaceAll(/<[^>]*>/g, '');
    expect(text.replaceAll(/\s+/g, ' '))
      .to.contain('From 1 answer.')
      .and.not.match(/\b1 (?:answers|mentions|prompts|requests|pages)\b/);
  });
});
