import { expect } from 'chai';
import { reads as definitions } from '../../../../src/contract/registry.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

describe('the CSV files of the page', () => {
  let visitor: Visitor;
  const server = shared(marketServer);
  before(async () => {
    await server.collect(
      {
        type: 'mark',
        id: 'm',
        brand: 'b',
        day: '2026-11-17',
        text: 'Guide',
        prompts: ['q'],
        engines: ['aio'],
      },
      runOf('r', {
        ...at('2026-11-19'),
        engine: 'aimode',
        region: 'de',
        prompt: 'q',
        answer: 'Acme, Globex.',
        mentions: [
          { name: 'Acme', order: 1, sentiment: 'positive', evidence: '=Acme' },
          { name: 'Globex', order: 2 },
        ],
        citations: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
      }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });
  const rowsOf = async (file: string) => {
    const response = await visitor.get(`/brands/b/${file}`);
    expect(response.status, file).to.equal(200);
    return { response, lines: (await response.text()).trimEnd().split('\n') };
  };
  const nameOf = async (id: string) => {
    const { prompts } = await server.body<{ prompts: { id: string; text: string }[] }>('prompts');
    return prompts.find((prompt) => prompt.id === id)!.text;
  };

  it('have names of prompts, engines, regions and entities, and lists as texts', async () => {
    const { lines } = await rowsOf('answers.csv?days=7');
    expect(lines[0]).to.equal('id,date,region,engine,model,prompt,brand_present,mentions,citations,excerpt');
    expect(lines[1])
      .to.contain(`,Germany,AI Mode,`)
      .and.contain(`,${await nameOf('q')},true,Acme; Globex,`);
    expect(lines[1]).to.contain('https://a.example/; https://b.example/');
    const marks = await rowsOf('marks.csv?days=7');
    expect(marks.lines[1])
      .to.contain(await nameOf('q'))
      .and.contain('AI Overviews');
  });

  it('have the bounds of an interval in two columns, no id next to a name, and no formula', async () => {
    const { lines } = await rowsOf('competitors.csv?days=7');
    const columns = lines[0]!.split(',');
    expect(columns).to.include.members(['name', 'intervals.visibility.lower', 'intervals.visibility.upper']);
    expect(columns).to.not.include('id').and.not.include('intervals.visibility');
    const quotes = await rowsOf('sentiment.csv?days=7');
    expect(quotes.lines[1]).to.contain("'=Acme");
  });

  it('are of every read, without JSON, and named after brand, read and days', async () => {
    for (const [name, read] of Object.entries(definitions)) {
      const needsMore = Object.values(read.params).some((param) => 'required' in param && param.required);
      if (name === 'brands' || name === 'effect' || needsMore || !('brand' in read.params)) continue;
      const query = 'metric' in read.params ? '&metric=visibility' : '';
      const { response, lines } = await rowsOf(`${name}.csv?days=7${query}`);
      expect(response.headers.get('content-disposition'), name).to.match(
        new RegExp(`^attachment; filename="b-${name}-2026-11-\\d\\d--2026-11-\\d\\d\\.csv"$`),
      );
      for (const line of lines) expect(line, name).to.not.match(/\[|\{""/);
    }
  });
});
