import { expect } from 'chai';
import { dataset, daysAgo, runAt } from '../fixtures.js';
import type { HistoryParams } from '../index.js';
import { OPEN, WORDS } from '../index.js';
import type { DatasetRecord, RunRecord } from '../records.js';
import { ask, brandOf, named } from './history-fixtures.js';

/** One day of each window is collected. */
const TOO_FEW_DAYS = { verdict: 'unknown', reason: WORDS };

describe('reference: history windows', () => {
  it('a preset ends on the newest day in scope; 28 days by default; one point a day', () => {
    const records = dataset(runAt('r', 3, named(1)), runAt('q', 5), runAt('l', 0, { engine: 'llama' }));
    const body = ask(records);
    expect(body.window).to.deep.equal({ start: daysAgo(30), end: daysAgo(3), days: 28 });
    expect(body).to.include({
      source: 'runs',
      metrics_version: 1,
      unit: 'score_0_100',
      engine: null,
      engines: null,
    });
    expect(brandOf(body).points).to.have.length(28);
    expect(brandOf(body).points.slice(-3)).to.deep.equal([
      { date: daysAgo(5), value: 0, sample_size: 1 },
      { date: daysAgo(4), value: null, sample_size: 0 },
      { date: daysAgo(3), value: 100, sample_size: 1 },
    ]);
    expect(brandOf(body)).to.include({ window_value: 50, window_run_count: 2, low_confidence: true });
    const set = ask(records, { engines: ['llama', 'chatgpt', 'llama'], days: 7 });
    expect(set).to.deep.include({ engine: null, engines: ['chatgpt', 'llama'], engine_scope: 'engine_set' });
    expect(set.window.end).to.equal(daysAgo(0));
    const single = ask(records, { engines: ['llama', 'llama'] });
    expect(single).to.deep.include({ engine: 'llama', engines: ['llama'], engine_scope: 'single_engine' });
  });

  it('a preset axis that would begin before the horizon is clamped to it', () => {
    const body = ask(dataset(runAt('r', 50)), { days: 14 });
    expect(body.window).to.deep.equal({ start: daysAgo(55), end: daysAgo(50), days: 6 });
    expect(brandOf(body).points).to.have.length(6);
    expect([brandOf(body).trend, body.note]).to.deep.equal([null, WORDS]);
  });

  it('nothing collected in scope, or a preset with all of it before the horizon, has no window', () => {
    const custom = { from: daysAgo(9), to: daysAgo(0) };
    const empty: [DatasetRecord[], Partial<HistoryParams>, number][] = [
      [dataset(), { days: 7 }, 7],
      [dataset(), custom, 10],
      [dataset(runAt('r', 0)), { ...custom, engines: ['aio'] }, 10],
      [dataset(runAt('r', 56)), {}, 28],
    ];
    for (const [records, params, days] of empty) {
      const body = ask(records, { ...params, competitors: true });
      expect(body).to.deep.include({ window: { start: null, end: null, days }, note: WORDS, source: 'runs' });
      expect(body.series.map((each) => [each.name, each.points.length])).to.deep.equal([
        ['Own', 0],
        ['Alpha', 0],
        ['Zed', 0],
      ]);
      expect(brandOf(body)).to.include({
        window_value: null,
        window_run_count: 0,
        trend: null,
        low_confidence: true,
      });
    }
    const inside = ask(dataset(runAt('r', 56)), custom);
    expect(inside.window.start).to.equal(daysAgo(9));
  });

  it('runs without a denominator are null with a sample, and sampled and absent is 0', () => {
    const records = dataset(runAt('r', 0));
    const point = (params: Partial<HistoryParams>) => brandOf(ask(records, params)).points.at(-1);
    const date = daysAgo(0);
    for (const metric of ['share_of_voice_fraction', 'citation_share', 'sentiment_index'] as const) {
      expect(point({ metric })).to.deep.equal({ date, value: null, sample_size: 1 });
    }
    expect(point({ metric: 'visibility' })).to.deep.equal({ date, value: 0, sample_size: 1 });
  });
});

describe('reference: history trends', () => {
  const trendOf = (params: Partial<HistoryParams>, ...runs: RunRecord[]) => {
    const body = ask(dataset(...runs), { days: 7, ...params });
    return { trend: brandOf(body).trend, note: body.note };
  };

  it('visibility changes in percent of the window before, from unrounded values', () => {
    expect(trendOf({}, runAt('r', 0, named(3)), runAt('q', 7, named(1)))).to.deep.equal({
      trend: {
        previous_window_value: 100,
        delta: -50,
        delta_unit: 'relative_pct',
        difference: -50,
        ...TOO_FEW_DAYS,
      },
      note: null,
    });
    const third = [runAt('q', 7, named(1)), runAt('p', 8), runAt('o', 9)];
    expect(trendOf({}, runAt('r', 0, named(1)), ...third).trend).to.deep.equal({
      previous_window_value: 33.3,
      delta: 200,
      delta_unit: 'relative_pct',
      difference: 66.7,
      ...TOO_FEW_DAYS,
    });
  });

  it('from 0, or to what was not measured, there is a baseline and no change', () => {
    const { trend, note } = trendOf({}, runAt('r', 0, named(1)), runAt('q', 7));
    expect(trend).to.deep.equal({
      previous_window_value: 0,
      delta: null,
      delta_unit: 'relative_pct',
      difference: 100,
      ...TOO_FEW_DAYS,
    });
    expect(note).to.equal(null);
    const mentions: RunRecord['mentions'] = [{ name: 'Own', order: 1, sentiment: 'positive' }];
    const sentiment = trendOf({ metric: 'sentiment_index' }, runAt('r', 0), runAt('q', 7, { mentions }));
    expect(sentiment.trend).to.deep.equal({
      previous_window_value: 100,
      delta: null,
      delta_unit: 'index_points',
      difference: null,
      ...TOO_FEW_DAYS,
    });
  });

  it('fractions and the index change in points', () => {
    const both = { mentions: [...named(1).mentions!, { name: 'Zed', order: 2 }] };
    const share = trendOf(
      { metric: 'share_of_voice_fraction' },
      runAt('r', 0, both),
      runAt('q', 7, named(1)),
    );
    expect(share.trend).to.deep.equal({
      previous_window_value: 1,
      delta: -0.5,
      delta_unit: 'fraction_points',
      difference: -0.5,
      ...TOO_FEW_DAYS,
    });
  });

  it('a change in the middle of two decimals is open', () => {
    const cited = (own: number, of: number) => ({
      citations: Array.from({ length: of }, (_, index) => ({
        url: index < own ? 'https://own.example/' : 'https://else.example/',
      })),
    });
    const tie = trendOf(
      { metric: 'citation_share' },
      runAt('r', 0, cited(1, 16)),
      runAt('q', 7, cited(2, 16)),
    );
    expect(tie.trend).to.deep.equal({
      previous_window_value: 0.125,
      delta: OPEN,
      delta_unit: 'fraction_points',
      difference: OPEN,
      ...TOO_FEW_DAYS,
    });
  });

  it('there is no trend without a measured baseline, for one day, or with a baseline before the horizon', () => {
    expect(trendOf({}, runAt('r', 0, named(1)))).to.deep.equal({ trend: null, note: WORDS });
    const day = { from: daysAgo(0), to: daysAgo(0) };
    const two = [runAt('r', 0, named(1)), runAt('q', 1, named(1))];
    const custom = (params: Partial<HistoryParams>) => {
      const body = ask(dataset(...two, runAt('o', 55, named(1))), params);
      return [brandOf(body).trend !== null, body.note];
    };
    expect(custom(day)).to.deep.equal([false, WORDS]);
    expect(custom({ days: 56 })).to.deep.equal([false, WORDS]);
    expect(custom({ from: daysAgo(27), to: daysAgo(0) })).to.deep.equal([true, null]);
    expect(custom({ from: daysAgo(28), to: daysAgo(0) })).to.deep.equal([false, WORDS]);
    expect(custom({ from: daysAgo(29), to: daysAgo(28) })).to.deep.equal([false, WORDS]);
  });
});
