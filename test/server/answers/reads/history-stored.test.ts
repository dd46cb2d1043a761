import { expect } from 'chai';
import type { History, HistorySeries } from '../../../../src/contract/reads/history.js';
import { addDays } from '../../../../src/server/base/days.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const acme = (order: number) => ({ name: 'Acme', order });

describe('read: metrics/history of ranges that begin before the live horizon', () => {
  const server = fresh(marketServer);

  const history = (metric: string, query = '') =>
    server.body<History>('metrics/history', `&metric=${metric}${query}`);
  const own = async (metric: string, query = ''): Promise<HistorySeries> =>
    (await history(metric, query)).series[0]!;
  const values = ({ points }: HistorySeries) => points.map(({ value, sample_size }) => [value, sample_size]);

  const stat = (date: string, engine: string, run_count: number, visibility: number, more: object = {}) => ({
    type: 'daily_stat',
    brand: 'b',
    entity: 'b',
    engine,
    date,
    run_count,
    visibility,
    ...more,
  });

  it('are read from stored statistics, with all metrics for a single engine', async () => {
    await server.collect(
      stat('2026-09-20', 'aio', 4, 12.345, { citation_share: 1 / 3, sentiment_index: null }),
    );
    const range = '&from=2026-09-19&to=2026-09-21&engine=aio';
    const body = await history('citation_share', range);
    expect(body).to.include({ source: 'daily_stats', engine: 'aio', engine_scope: 'single_engine' });
    expect(body.series[0]).to.deep.include({
      window_value: null,
      window_run_count: 4,
      low_confidence: true,
      trend: null,
    });
    expect(values(body.series[0]!)).to.deep.equal([
      [null, 0],
      [0.333, 4],
      [null, 0],
    ]);
    expect(values(await own('sentiment_index', range))[1]).to.deep.equal([null, 4]);
    expect(body.note).to.match(/no window value and no trend/);
  });

  it('weigh visibility and presence by runs, and refuse metrics over several engines without denominators', async () => {
    await server.collect(
      stat('2026-09-20', 'aio', 1, 100, { presence_rate: 1 }),
      stat('2026-09-20', 'grok', 3, 20, { presence_rate: 1 / 3 }),
      stat('2026-09-20', 'llama', 9, 0),
      stat('2026-09-20', 'claude', 0, 0),
    );
    const range = '&from=2026-09-20&to=2026-09-20';
    expect(values(await own('presence_rate', range))).to.deep.equal([[0.5, 4]]);
    expect(values(await own('presence_rate', `${range}&engine=grok`))).to.deep.equal([[0.333, 3]]);
    // The statistics of one engine were imported without it.
    expect(values(await own('presence_rate', `${range}&engine=aio,llama`))).to.deep.equal([[null, 10]]);
    expect(values(await own('visibility', range))).to.deep.equal([[40, 4]]);
    expect(values(await own('visibility', `${range}&engine=aio,llama`))).to.deep.equal([[10, 10]]);
    for (const metric of ['share_of_voice_fraction', 'citation_share', 'sentiment_index']) {
      for (const query of [
        range,
        `${range}&engine=aio,grok`,
        '&from=2026-01-01&to=2026-11-20&engine=deepseek,llama',
      ]) {
        expect(await server.refused('metrics/history', `&metric=${metric}${query}`)).to.match(
          new RegExp(`^${metric} over several engines cannot be derived for .* Ask for a single engine`),
        );
      }
    }
  });

  it('return null with the sample size of the day for an entity without a row', async () => {
    await server.collect(stat('2026-09-20', 'aio', 4, 50));
    const { series } = await history('visibility', '&from=2026-09-20&to=2026-09-20&competitors=true');
    expect(series.map(values)).to.deep.equal([[[50, 4]], [[null, 4]]]);
  });

  it('read days without stored statistics from the runs, like today', async () => {
    await server.collect(
      stat('2026-09-20', 'aio', 4, 50),
      runOf('a', { mentions: [acme(3)] }),
      runOf('b', { ...at('2026-11-19'), mentions: [acme(1)] }),
    );
    const range = '&from=2026-09-20&to=2026-11-20';
    expect(values(await own('visibility', range)).filter(([, runs]) => runs !== 0)).to.deep.equal([
      [50, 4],
      [100, 1],
      [50, 1],
    ]);
    await server.database.knex.raw('delete from daily_stats where not imported');
    server.now = new Date('2026-11-20T23:59:00Z');
    expect(
      values(await own('visibility', `${range}&competitors=false`)).filter(([, runs]) => runs !== 0),
    ).to.deep.equal([
      [50, 4],
      [100, 1],
      [50, 1],
    ]);
  });

  it('prefer runs to imported statistics of the same engine and day, whichever came first', async () => {
    const day = '2026-09-20';
    const range = `&from=${day}&to=${day}`;
    await server.collect(stat(day, 'chatgpt', 9, 9), stat(day, 'aio', 1, 100));
    await server.load([runOf('a', { ...at(day), mentions: [acme(1)] })]);
    expect(values(await own('visibility', `${range}&engine=chatgpt`))).to.deep.equal([[100, 1]]);
    await server.load([stat(day, 'chatgpt', 8, 8)]);
    expect(values(await own('visibility', `${range}&engine=chatgpt`))).to.deep.equal([[100, 1]]);
    expect(values(await own('visibility', range))).to.deep.equal([[100, 2]]);
  });

  it('return 366 days of eleven entities in one response', async () => {
    const rivals = Array.from({ length: 9 }, (_, i) => ({
      type: 'competitor',
      id: `x${i}`,
      brand: 'b',
      name: `X${i}`,
    }));
    const stats = Array.from({ length: 300 }, (_, i) => stat(addDays('2025-11-20', i), 'aio', 5, i / 10));
    await server.collect(...rivals, ...stats);
    const { series } = await history('visibility', '&from=2025-11-20&to=2026-11-20&competitors=true');
    expect(series.map(({ points }) => points.length)).to.deep.equal(Array(11).fill(366));
    expect(series[0]!.window_run_count).to.equal(1500);
  });
});
