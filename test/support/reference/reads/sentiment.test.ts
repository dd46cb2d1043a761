import { expect } from 'chai';
import { dataset, daysAgo, runAt, SCOPE } from '../fixtures.js';
import { randomHistoryDataset } from '../generators/history-dataset.js';
import { randomParameters } from '../generators/parameters.js';
import { SEEDS, TODAY } from '../generators/seeds.js';
import { expectedSentiment } from '../index.js';
import type { RunRecord, Tone } from '../records.js';
import { everyScope } from '../scope.js';

function said(name: string, sentiment: Tone, order = 1): RunRecord['mentions'][number] {
  return { name, order, sentiment, evidence: `${name} is ${sentiment}` };
}

describe('reference: sentiment', () => {
  it('the window ends on the newest day in the scope of the filter, however old that is', () => {
    const records = dataset(runAt('r', 70), runAt('q', 77), runAt('l', 1, { engine: 'llama' }));
    expect(expectedSentiment(records, SCOPE)).to.include({
      run_count: 1,
      window_days: 7,
      engine_scope: 'blended',
    });
    expect(expectedSentiment(records, SCOPE, { days: 14 })!.run_count).to.equal(2);
    const both = expectedSentiment(records, SCOPE, { engines: ['llama', 'chatgpt', 'llama'] })!;
    expect(both).to.deep.include({ run_count: 1, engines: ['chatgpt', 'llama'], engine_scope: 'engine_set' });
    expect(both.by_engine.map((row) => row.engine)).to.deep.equal(['llama']);
  });

  it('a brand never collected, or never in scope, has its empty form and a note', () => {
    for (const records of [dataset(), dataset(runAt('r', 0, { engine: 'llama' }))]) {
      const body = expectedSentiment(records, SCOPE)!;
      expect(body).to.deep.include({
        run_count: 0,
        by_engine: [],
        quotes: [],
        quotes_total: 0,
        note: '(words)',
      });
      expect(body.entities.map((row) => [row.name, row.sentiment_index, row.mentions])).to.deep.equal([
        ['Own', null, 0],
        ['Alpha', null, 0],
        ['Zed', null, 0],
      ]);
    }
    expect(expectedSentiment(dataset(), { ...SCOPE, brand: 'x' })).to.equal(null);
  });

  it('an unscored mention is counted apart and never folded into neutral', () => {
    const mentions = [said('own', 'positive'), { name: 'Zed', order: 2 }];
    const records = dataset(
      runAt('r', 0, { mentions }),
      runAt('s', 0, { mentions: [{ name: 'Own', order: 1 }] }),
    );
    const [own, , zed] = expectedSentiment(records, SCOPE)!.entities;
    expect(own).to.include({ sentiment_index: 100, mentions: 2, positive: 1, neutral: 0, unscored: 1 });
    expect(zed).to.include({ sentiment_index: null, mentions: 1, neutral: 0, unscored: 1 });
  });

  it('quotes are worst first, then by date and run id, both descending, then by order', () => {
    const records = dataset(
      runAt('B', 1, { mentions: [said('own', 'neutral', 2), said('Nobody Inc', 'neutral', 1)] }),
      runAt('a', 1, { mentions: [said('Zed', 'neutral'), said('Own', 'negative', 3)] }),
      runAt('z', 2, { mentions: [said('Own', 'neutral'), said('Alpha', 'positive', 2)] }),
      runAt('y', 0, {
        mentions: [said('Own', 'positive'), { name: 'Zed', order: 2, sentiment: 'negative' }],
      }),
    );
    const { quotes, quotes_total } = expectedSentiment(records, SCOPE)!;
    expect(quotes.map((quote) => [quote.sentiment, quote.run_id, quote.entity])).to.deep.equal([
      ['negative', 'a', 'Own'],
      ['neutral', 'a', 'Zed'],
      ['neutral', 'B', 'Nobody Inc'],
      ['neutral', 'B', 'Own'],
      ['neutral', 'z', 'Own'],
      ['positive', 'y', 'Own'],
      ['positive', 'z', 'Alpha'],
    ]);
    expect(quotes_total).to.equal(7);
    expect(quotes[2]).to.include({ tracked: false, is_brand: false, prompt: 'which?', date: daysAgo(1) });
    expect(quotes[3]).to.include({ tracked: true, is_brand: true, quote: 'own is neutral' });
  });

  it('40 quotes are shown and all are counted', () => {
    const runs = Array.from({ length: 45 }, (_, index) =>
      runAt(`r${index}`, index % 7, { mentions: [said('Own', 'neutral')] }),
    );
    const { quotes, quotes_total } = expectedSentiment(dataset(...runs), SCOPE)!;
    expect([quotes.length, quotes_total]).to.deep.equal([40, 45]);
  });

  it('on random data sets the split adds up to the mentions, and by_engine to the brand', () => {
    for (const seed of SEEDS) {
      const records = randomHistoryDataset(seed, TODAY);
      for (const scope of everyScope(records, TODAY)) {
        for (const params of randomParameters(seed, TODAY).sentiment) {
          const { entities, by_engine } = expectedSentiment(records, scope, params)!;
          for (const row of [...entities, ...by_engine]) {
            expect(row.positive + row.neutral + row.negative + row.unscored).to.equal(row.mentions);
            expect(row.sentiment_index === null).to.equal(row.mentions === row.unscored);
          }
          const mentions = by_engine.reduce((sum, row) => sum + row.mentions, 0);
          expect(mentions).to.equal(entities[0]!.mentions);
        }
      }
    }
  });
});
