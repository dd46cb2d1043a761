import { expect } from 'chai';
import { dataset, daysAgo, runAt, SCOPE } from '../fixtures.js';
import type { ExpectedHistory } from '../index.js';
import { BAD_REQUEST, expectedHistory, WORDS } from '../index.js';
import type { DailyStatRecord, DatasetRecord } from '../records.js';
import { plainUrlRules as rules } from '../url-rules/plain.js';
import { ask, brandOf, named } from './history-fixtures.js';

function statAt(
  ago: number,
  engine: string,
  runCount: number,
  visibility: number,
  entity = 'b',
): DailyStatRecord {
  return {
    type: 'daily_stat',
    brand: 'b',
    entity,
    engine,
    date: daysAgo(ago),
    run_count: runCount,
    visibility,
  };
}

describe('reference: history from daily statistics', () => {
  const range = { from: daysAgo(60), to: daysAgo(54) };
  const valueAt = (body: ExpectedHistory, ago: number, series = 0) => {
    const point = body.series[series]!.points.find(({ date }) => date === daysAgo(ago))!;
    return [point.value, point.sample_size];
  };

  it('pools visibility by run count, prefers the runs of a day, and has neither window value nor trend', () => {
    const body = ask(
      dataset(
        statAt(60, 'chatgpt', 1, 10),
        statAt(60, 'aio', 3, 50),
        statAt(60, 'llama', 9, 99),
        statAt(59, 'chatgpt', 4, 70),
        runAt('r', 59, named(1)),
        runAt('q', 54),
        runAt('i', 0, { engine: 'aio' }),
      ),
      { ...range, competitors: true },
    );
    expect(body).to.deep.include({ source: 'daily_stats', note: WORDS });
    expect(valueAt(body, 60)).to.deep.equal([40, 4]);
    expect(valueAt(body, 60, 1)).to.deep.equal([null, 4]);
    expect(valueAt(body, 59)).to.deep.equal([100, 1]);
    expect(valueAt(body, 59, 1)).to.deep.equal([0, 1]);
    expect(valueAt(body, 58)).to.deep.equal([null, 0]);
    expect(valueAt(body, 54)).to.deep.equal([0, 1]);
    expect(brandOf(body)).to.include({
      window_value: null,
      window_run_count: 6,
      low_confidence: false,
      trend: null,
    });
  });

  it('a range is live from the first day of the horizon on', () => {
    const source = (ago: number) =>
      ask(dataset(runAt('r', 0)), { from: daysAgo(ago), to: daysAgo(0) }).source;
    expect([source(55), source(56)]).to.deep.equal(['runs', 'daily_stats']);
  });

  it('other metrics take a single engine, also where nothing was ever collected', () => {
    const statusOf = (records: DatasetRecord[], engines?: string[]) => {
      const params = { metric: 'citation_share' as const, ...range, ...(engines ? { engines } : {}) };
      return expectedHistory(records, SCOPE, params, rules) === BAD_REQUEST;
    };
    for (const records of [dataset(), dataset(runAt('r', 60))]) {
      expect(statusOf(records)).to.equal(true);
      expect(statusOf(records, ['chatgpt', 'aio'])).to.equal(true);
      expect(statusOf(records, ['chatgpt', 'chatgpt'])).to.equal(false);
    }
    const stored = { ...statAt(58, 'chatgpt', 2, 1), citation_share: 0.12345 };
    const body = ask(dataset(stored, runAt('r', 60)), {
      ...range,
      metric: 'citation_share',
      engines: ['chatgpt'],
    });
    expect([valueAt(body, 58), valueAt(body, 60)]).to.deep.equal([
      [0.123, 2],
      [null, 1],
    ]);
  });
});
