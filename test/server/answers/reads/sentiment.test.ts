import { expect } from 'chai';
import type { Sentiment } from '../../../../src/contract/reads/sentiment.js';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import { randomDataset, recordsOf } from '../../../support/reference/index.js';
import { testServer } from '../../../support/server.js';
import { at, marketServer, runOf } from './support/market-server.js';

const said = (name: string, sentiment: string, evidence?: string, order = 1) => ({
  name,
  order,
  sentiment,
  ...(evidence !== undefined && { evidence }),
});

describe('read: sentiment', () => {
  const server = fresh(marketServer);

  const sentiment = (query = '') => server.body<Sentiment>('sentiment', query);
  const quotesOf = async (query = '') => (await sentiment(query)).quotes.map(({ quote }) => quote);

  it('is of the days from–to, and states them', async () => {
    await server.collect(
      runOf('a', { ...at('2026-11-10'), mentions: [said('Acme', 'positive', 'early')] }),
      runOf('b', { ...at('2026-11-14'), mentions: [said('Acme', 'negative', 'late')] }),
    );
    const newest = await sentiment('&days=7');
    expect(newest.window).to.deep.equal({ start: '2026-11-08', end: '2026-11-14', days: 7 });
    const range = await sentiment('&from=2026-11-01&to=2026-11-12');
    expect(range.quotes.map(({ quote }) => quote)).to.deep.equal(['early']);
    expect([range.run_count, range.window_days]).to.deep.equal([1, 12]);
    expect(range.measured).to.deep.equal({ first_day: '2026-11-10', last_day: '2026-11-10' });
    const empty = await sentiment('&from=2026-11-15&to=2026-11-20');
    expect([empty.run_count, empty.measured]).to.deep.equal([0, null]);
    expect(empty.note).to.match(/^No answer was collected from 2026-11-15 to 2026-11-20\. /);
  });

  it('counts the tones of pruned answers, and says that their quotes are gone', async () => {
    await server.collect(
      runOf('a', { ...at('2026-08-01'), mentions: [said('Acme', 'negative', 'gone')] }),
      runOf('b', { ...at('2026-11-14'), mentions: [said('Acme', 'positive', 'kept')] }),
    );
    for await (const { runs } of pruneRuns(server.database.knex, { today: '2026-11-20', days: 60 }))
      expect(runs).to.equal(1);
    const { entities, quotes, note } = await sentiment('&from=2026-07-01&to=2026-11-20');
    expect(entities[0]).to.include({ mentions: 2, positive: 1, negative: 1 });
    expect(quotes.map(({ quote }) => quote)).to.deep.equal(['kept']);
    expect(note).to.contain('answers from before 2026-08-02 were deleted');
  });

  it('counts an answer once per entity by its first scored mention, and unscored ones separately', async () => {
    await server.collect(
      runOf('a', {
        mentions: [
          { name: 'Acme', order: 1 },
          said('acme', 'negative', 'bad', 2),
          said('ACME', 'positive', 'ok', 3),
        ],
      }),
      runOf('b', { mentions: [said('Acme', 'positive')] }),
      runOf('c', { mentions: [{ name: 'Acme', order: 1 }] }),
      runOf('d', { mentions: [said('Globex', 'neutral')] }),
      runOf('e', { engine: 'llama', mentions: [said('Acme', 'positive')] }),
    );
    const { entities, by_engine, run_count, engines, engine_scope, window_days } = await sentiment();
    expect({ run_count, engines, engine_scope, window_days }).to.deep.equal({
      run_count: 4,
      engines: null,
      engine_scope: 'blended',
      window_days: 7,
    });
    const acme = { name: 'Acme', domain: 'acme.com', is_brand: true };
    const tones = { sentiment_index: 50, mentions: 3, positive: 1, neutral: 0, negative: 1, unscored: 1 };
    expect(entities).to.deep.equal([
      { ...acme, ...tones, measured_since: null },
      {
        name: 'Globex',
        domain: 'globex.io',
        is_brand: false,
        sentiment_index: 50,
        mentions: 1,
        positive: 0,
        neutral: 1,
        negative: 0,
        unscored: 0,
        measured_since: null,
      },
    ]);
    expect(by_engine).to.deep.equal([{ engine: 'chatgpt', run_count: 4, ...acme, ...tones }]);
  });

  it('lists negative, then neutral, then positive quotes, each newest first', async () => {
    await server.collect(
      runOf('a', {
        ...at('2026-11-18'),
        mentions: [said('Acme', 'positive', '+18'), said('Globex', 'negative', '-18', 2)],
      }),
      runOf('b', {
        ...at('2026-11-19'),
        engine: 'grok',
        mentions: [said('Nobody', 'negative', '-19 b2', 2), said('Acme', 'negative', '-19 b1', 1)],
      }),
      runOf('c', {
        ...at('2026-11-19', '01:00:00'),
        mentions: [said('Acme', 'negative', '-19 c'), said('acme', 'neutral', '0 c', 2)],
      }),
      runOf('d', { mentions: [said('Acme', 'positive'), { name: 'Globex', order: 2 }] }),
    );
    const body = await sentiment();
    expect(body.quotes.map(({ quote }) => quote)).to.deep.equal([
      '-19 c',
      '-19 b1',
      '-19 b2',
      '-18',
      '0 c',
      '+18',
    ]);
    expect(body.quotes_total).to.equal(6);
    expect(body.quotes[2]).to.deep.equal({
      run_id: 'b',
      date: '2026-11-19',
      engine: 'grok',
      prompt_id: 'p',
      prompt: 'best crm?',
      entity: 'Nobody',
      is_brand: false,
      tracked: false,
      sentiment: 'negative',
      quote: '-19 b2',
    });
    expect(body.quotes[4]).to.include({ entity: 'Acme', is_brand: true, tracked: true });
  });

  it('returns at most 40 quotes and counts all of them', async () => {
    const negative = Array.from({ length: 30 }, (_, i) =>
      runOf(`n${i}`, { mentions: [said('Acme', 'negative', `n${i}`)] }),
    );
    const positive = Array.from({ length: 30 }, (_, i) =>
      runOf(`p${i}`, { engine: i % 2 ? 'aio' : 'claude', mentions: [said('Acme', 'positive', `p${i}`)] }),
    );
    await server.collect(...negative, ...positive);
    const { quotes, quotes_total } = await sentiment();
    expect([quotes.length, quotes_total]).to.deep.equal([40, 60]);
    expect(quotes.slice(0, 30).every(({ sentiment: tone }) => tone === 'negative')).to.equal(true);
    const ids = quotes.map(({ run_id }) => run_id);
    expect(ids.slice(0, 30)).to.deep.equal([...ids.slice(0, 30)].sort().reverse());
    expect(ids.slice(30)).to.deep.equal(
      positive
        .map(({ id }) => id)
        .sort()
        .reverse()
        .slice(0, 10),
    );
  });

  it('ends on the newest day of the selected engines', async () => {
    await server.collect(
      runOf('old', { ...at('2026-03-03'), engine: 'llama', mentions: [said('Acme', 'negative', 'old')] }),
      runOf('older', {
        ...at('2026-02-24', '23:59:59.999'),
        engine: 'llama',
        mentions: [said('Acme', 'negative', 'out of 7 days')],
      }),
      runOf('oldest', {
        ...at('2026-02-04'),
        engine: 'llama',
        mentions: [said('Acme', 'negative', 'in 28 days')],
      }),
      runOf('new', { mentions: [said('Acme', 'positive', 'new')] }),
    );
    expect(await quotesOf()).to.deep.equal(['new']);
    expect(await quotesOf('&engine=llama')).to.deep.equal(['old']);
    expect(await quotesOf('&engine=llama&days=28')).to.deep.equal(['old', 'out of 7 days', 'in 28 days']);
    const both = await sentiment('&engine=llama,chatgpt,llama');
    expect([both.engines, both.engine_scope, both.run_count]).to.deep.equal([
      ['chatgpt', 'llama'],
      'engine_set',
      1,
    ]);
  });

  it('returns zeros and null, with a note, for engines that never collected', async () => {
    await server.collect(runOf('r', { engine: 'llama' }));
    const body = await sentiment();
    expect(body).to.deep.include({
      run_count: 0,
      by_engine: [],
      quotes: [],
      quotes_total: 0,
      window_days: 7,
    });
    expect(body.entities[0]).to.include({ sentiment_index: null, mentions: 0, unscored: 0 });
    expect(body.note).to.match(/^No answer was ever collected in this scope/);
  });

  it('always has a note on how to read it', async () => {
    await server.collect(runOf('r'));
    expect((await sentiment()).note).to.match(/50 is neutral, null means/);
  });
});

describe('read: sentiment on random data sets', () => {
  const TODAY = '2026-11-20';
  const TONES = ['negative', 'neutral', 'positive'];
  const server = fresh(() => testServer({ now: new Date(`${TODAY}T12:00:00Z`) }));

  for (const seed of onServer([0, 1, 2, 3], [1])) {
    it(`has parts that add up, and sorted quotes: data set ${seed}`, async () => {
      const records = randomDataset(seed, TODAY);
      await server.load(records);
      for (const brand of new Set(recordsOf(records, 'run').map((run) => run.brand))) {
        for (const query of ['', '&engine=deepseek,llama', '&days=28&engine=chatgpt,aio,llama']) {
          const body = await server.read<Sentiment>(`/api/v1/sentiment?brand=${brand}${query}`);
          for (const row of [...body.entities, ...body.by_engine]) {
            expect(row.positive + row.neutral + row.negative + row.unscored).to.equal(row.mentions);
            expect(row.mentions).to.be.at.most(body.run_count);
          }
          const own = body.entities[0]!;
          expect(body.by_engine.reduce((total, row) => total + row.run_count, 0)).to.equal(body.run_count);
          for (const field of ['mentions', 'positive', 'negative', 'unscored'] as const) {
            const sum = body.by_engine.reduce((total, row) => total + row[field], 0);
            expect(sum, `${brand}${query} ${field}`).to.equal(own[field]);
          }
          expect(body.quotes).to.have.lengthOf(Math.min(40, body.quotes_total));
          const places = body.quotes.map((quote) => [
            TONES.indexOf(quote.sentiment),
            -Date.parse(quote.date),
          ]) as [number, number][];
          expect(places).to.deep.equal([...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
        }
      }
    });
  }
});
