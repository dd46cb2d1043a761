import { expect } from 'chai';
import fc from 'fast-check';
import { marketServer, runOf } from '../server/answers/reads/support/market-server.js';
import { shared } from '../support/hooks.js';

const ENGINES = 'chatgpt, aio, aimode, copilot, perplexity, gemini, grok, claude, deepseek, llama';
const METRICS = 'visibility, presence_rate, share_of_voice_fraction, citation_share, sentiment_index';
const history = 'metrics/history';
const visibility = '&metric=visibility';

describe('rule: a window, an engine filter and a metric are accepted in their documented forms or refused with a message', () => {
  const server = shared(marketServer);
  before(async () => {
    await server.collect(runOf('r', { ad: {} }));
  });

  const bothRanges: [query: string, words: string][] = [
    [
      '&days=7&from=2026-11-01&to=2026-11-02',
      'days=7 was given together with from or to. Give either days, or from and to.',
    ],
    ['&days=7&to=2026-11-02', 'days=7 was given together with from or to. Give either days, or from and to.'],
    ['&from=2026-11-01', 'from=2026-11-01 was given without to. Give both from and to.'],
    ['&to=2026-11-01', 'to=2026-11-01 was given without from. Give both from and to.'],
    [
      '&from=2026-11-02&to=2026-11-01',
      'Invalid range: from 2026-11-02 is after to 2026-11-01. Give a from that is not after to.',
    ],
    [
      '&from=2026-02-30&to=2026-03-01',
      'Invalid from: 2026-02-30. There is no such date; give one that exists as YYYY-MM-DD.',
    ],
    [
      '&from=2026-11-01&to=2027-02-29',
      'Invalid to: 2027-02-29. There is no such date; give one that exists as YYYY-MM-DD.',
    ],
    ['&from=2026-1-1&to=2026-11-01', 'Invalid from: 2026-1-1. Give a date from 1970 to 2999 as YYYY-MM-DD.'],
    [
      '&from=2026-11-01T00:00:00Z&to=2026-11-01',
      'Invalid from: 2026-11-01T00:00:00Z. Give a date from 1970 to 2999 as YYYY-MM-DD.',
    ],
    ['&from=&to=2026-11-01', 'Invalid from: (empty). Give a date from 1970 to 2999 as YYYY-MM-DD.'],
    [
      '&from=0000-01-01&to=0000-01-02',
      'Invalid from: 0000-01-01. Give a date from 1970 to 2999 as YYYY-MM-DD.',
    ],
    [
      '&from=2025-11-20&to=2026-11-21',
      'Invalid range: 2025-11-20 to 2026-11-21 are 367 days. Give at most 366 days, both ends counted.',
    ],
    ['&from=2026-11-01&from=2026-11-01&to=2026-11-02', 'Parameter from was given 2 times. Give it once.'],
  ];
  for (const [query, words] of bothRanges) {
    it(`${query} is refused on history and ads`, async () => {
      expect(await server.refused(history, visibility + query)).to.equal(words);
      expect(await server.refused('ads', query)).to.equal(words);
    });
  }

  const everywhere: [query: string, words: string][] = [
    ['&days=9', 'Invalid days: 9. Give one of 7, 14, 28, 56.'],
    ['&days=', 'Invalid days: (empty). Give one of 7, 14, 28, 56.'],
    ['&days=07', 'Invalid days: 07. Give one of 7, 14, 28, 56.'],
    ['&days=7&days=7', 'Parameter days was given 2 times. Give it once.'],
    ['&engine=foo', `Unknown engine: foo. Known engines: ${ENGINES}`],
    ['&engine=chatgpt,Aio', `Unknown engine: Aio. Known engines: ${ENGINES}`],
    [
      '&engine=chatgpt,,aio',
      'Empty element in engine: chatgpt,,aio. Give ids with one comma between, or leave engine out.',
    ],
    [
      '&engine=chatgpt,',
      'Empty element in engine: chatgpt,. Give ids with one comma between, or leave engine out.',
    ],
    ['&engine=', 'Empty element in engine: (empty). Give ids with one comma between, or leave engine out.'],
    ['&engine=aio&engine=chatgpt', 'Parameter engine was given 2 times. Give it once.'],
  ];
  for (const [query, words] of everywhere) {
    it(`${query} is refused on history, ads and sentiment`, async () => {
      for (const [read, more] of [
        [history, visibility],
        ['ads', ''],
        ['sentiment', ''],
      ] as const) {
        expect(await server.refused(read, more + query), read).to.equal(words);
      }
    });
  }

  it('metric is required, competitors is true or false', async () => {
    expect(await server.refused(history, '')).to.equal(`Missing metric. Give one of ${METRICS}.`);
    expect(await server.refused(history, '&metric=avg_position')).to.equal(
      `Invalid metric: avg_position. Give one of ${METRICS}.`,
    );
    expect(await server.refused(history, '&metric=')).to.equal(
      `Invalid metric: (empty). Give one of ${METRICS}.`,
    );
    for (const value of ['1', 'yes', 'TRUE']) {
      expect(await server.refused(history, `${visibility}&competitors=${value}`)).to.equal(
        `Invalid competitors: ${value}. Give one of true, false.`,
      );
    }
    const series = async (query: string) =>
      (await server.body<{ series: unknown[] }>(history, visibility + query)).series.length;
    expect([
      await series('&competitors=true'),
      await series('&competitors=false'),
      await series(''),
    ]).to.deep.equal([2, 1, 1]);
  });

  it('366 days pass, a leap day too, and a range may reach into the future', async () => {
    const { window } = await server.body<{ window: object }>('ads', '&from=2024-02-29&to=2025-02-28');
    expect(window).to.deep.equal({ start: '2024-02-29', end: '2025-02-28', days: 366 });
    const future = await server.body<{ window: object; series: { points: object[] }[] }>(
      history,
      `${visibility}&from=2026-11-19&to=2026-12-01`,
    );
    expect(future.window).to.deep.equal({ start: '2026-11-19', end: '2026-12-01', days: 13 });
    expect(future.series[0]!.points.at(-1)).to.deep.equal({
      date: '2026-12-01',
      value: null,
      sample_size: 0,
    });
  });

  it('the echo of engines is folded and in table order', async () => {
    const echo = async (engine: string) => {
      const body = await server.body<Record<string, unknown>>(history, `${visibility}&engine=${engine}`);
      return [body.engine, body.engines, body.engine_scope];
    };
    expect(await echo('llama,chatgpt,llama')).to.deep.equal([null, ['chatgpt', 'llama'], 'engine_set']);
    expect(await echo('aio,aio')).to.deep.equal(['aio', ['aio'], 'single_engine']);
  });

  it('sentiment and crawlers take days, or from and to, and state their window', async () => {
    const start = '2026-11-10';
    for (const read of ['sentiment', 'crawlers']) {
      const body = await server.body<{ window_days: number; window: object }>(
        read,
        `&from=${start}&to=2026-11-12`,
      );
      expect(body.window, read).to.deep.equal({ start, end: '2026-11-12', days: 3 });
      expect(body.window_days, read).to.equal(3);
      expect(await server.refused(read, `&days=14&from=${start}&to=2026-11-12`)).to.match(/days/);
      expect(await server.refused(read, `&from=${start}`)).to.contain('Give both from and to.');
    }
  });

  it('every text for days or engine results in a body or an error message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom('days', 'engine', 'from'), async (text, name) => {
        server.now = new Date(server.now.getTime() + 1000);
        const path = `/api/v1/ads?brand=b&${name}=${encodeURIComponent(text.toWellFormed())}`;
        expect((await server.request(path)).status).to.be.oneOf([200, 400]);
      }),
      { numRuns: 60 },
    );
  });
});
