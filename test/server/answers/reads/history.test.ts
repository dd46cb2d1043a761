import { expect } from 'chai';
import type { History, HistorySeries } from '../../../../src/contract/reads/history.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { addDays } from '../../../../src/server/base/days.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const acme = (order: number, sentiment?: string) => ({
  name: 'Acme',
  order,
  ...(sentiment && { sentiment }),
});
const globex = (order: number) => ({ name: 'Globex', order });
const TODAY = '2026-11-20';
const HORIZON = '2026-09-26';

/** The verdict on windows with so few collected days. */
const tooFew = (now: number, before: number) => ({
  verdict: 'unknown',
  reason: `Measured on ${now} day${now === 1 ? '' : 's'} of this window and ${before} of the one before; a verdict needs 4 of each.`,
  reason_fact: { code: 'too_few_days', measured: now, measured_before: before, least: 4 },
});

describe('read: metrics/history', () => {
  const server = fresh(marketServer);

  const history = (metric: string, query = '') =>
    server.body<History>('metrics/history', `&metric=${metric}${query}`);
  const own = async (metric: string, query = ''): Promise<HistorySeries> =>
    (await history(metric, query)).series[0]!;
  const values = ({ points }: HistorySeries) => points.map(({ value, sample_size }) => [value, sample_size]);

  describe('points', () => {
    beforeEach(() =>
      server.collect(
        runOf('a', {
          ...at('2026-11-18'),
          mentions: [acme(2, 'positive'), globex(1)],
          citations: [{ url: 'https://acme.com/' }, { url: 'https://x.example/' }],
        }),
        runOf('b', { ...at('2026-11-18'), engine: 'aio' }),
        runOf('c', { ...at('2026-11-20'), engine: 'llama', mentions: [acme(1, 'negative')] }),
        runOf('d', { ...at('2026-11-20'), mentions: [globex(1)] }),
      ),
    );
    const range = '&from=2026-11-17&to=2026-11-20';

    it('exist for each calendar day, null with 0 runs if nothing was collected, and null with runs if nothing was measured', async () => {
      expect(values(await own('visibility', range))).to.deep.equal([
        [null, 0],
        [31.5, 2],
        [null, 0],
        [0, 1],
      ]);
      for (const metric of ['presence_rate', 'share_of_voice_fraction'])
        expect(values(await own(metric, range))).to.deep.equal([
          [null, 0],
          [0.5, 2],
          [null, 0],
          [0, 1],
        ]);
      expect(values(await own('citation_share', range))).to.deep.equal([
        [null, 0],
        [0.5, 2],
        [null, 0],
        [null, 1],
      ]);
      expect(values(await own('sentiment_index', range))).to.deep.equal([
        [null, 0],
        [100, 2],
        [null, 0],
        [null, 1],
      ]);
    });

    it('follow the engine filter, which can include model-knowledge engines', async () => {
      expect(values(await own('visibility', `${range}&engine=llama`)).at(-1)).to.deep.equal([100, 1]);
      expect(values(await own('sentiment_index', `${range}&engine=llama,chatgpt`)).at(-1)).to.deep.equal([
        0, 2,
      ]);
    });

    it('exist for competitors on request, with their names and shares', async () => {
      const { series } = await history('share_of_voice_fraction', `${range}&competitors=true`);
      expect(series.map(({ id, name, is_brand }) => [id, name, is_brand])).to.deep.equal([
        ['b', 'Acme', true],
        ['c', 'Globex', false],
      ]);
      expect(values(series[1]!)).to.deep.equal([
        [null, 0],
        [0.5, 2],
        [null, 0],
        [1, 1],
      ]);
    });

    it('have an envelope with unit, engine scope, source and version', async () => {
      const { series: _, note: __, notes: ___, ...envelope } = await history('citation_share', range);
      expect(envelope).to.deep.equal({
        brand: { id: 'b', name: 'Acme', domain: 'acme.com' },
        metric: 'citation_share',
        unit: 'fraction_0_1',
        window: { start: '2026-11-17', end: '2026-11-20', days: 4 },
        engine: null,
        engines: null,
        engine_scope: 'blended_search_grounded',
        source: 'runs',
        metrics_version: 1,
        model_changes: [],
        marks: [],
        slice: null,
        measured: { first_day: '2026-11-18', last_day: '2026-11-20' },
        shown: null,
      });
    });
  });

  describe('window value and trend', () => {
    it('are computed from sums over all runs, not from the days', async () => {
      await server.collect(
        runOf('a', { ...at('2026-11-19'), mentions: [acme(1)] }),
        ...['b', 'c', 'd'].map((id) => runOf(id, at('2026-11-20'))),
      );
      const series = await own('visibility', '&days=7');
      expect(series).to.include({ window_value: 25, window_run_count: 4, low_confidence: true });
    });

    it('of presence are those of the overview, also for chosen runs', async () => {
      const days = Array.from({ length: 14 }, (_, ago) => addDays('2026-11-20', -ago));
      await server.collect(
        ...days.flatMap((day, ago) =>
          ['us', 'de'].flatMap((region) =>
            Array.from({ length: 10 }, (_, run) =>
              runOf(`${day}${region}${run}`, {
                ...at(day),
                region,
                mentions: run < (ago < 7 ? 6 : 3) + (ago % 2) ? [acme(1)] : [],
              }),
            ),
          ),
        ),
      );
      for (const query of ['', '&region=de', '&engine=chatgpt']) {
        const { presence_rate, intervals, change } = await server.body<Overview>('overview', query);
        const body = await history('presence_rate', `&from=2026-11-14&to=2026-11-20${query}`);
        expect(body).to.include({ metric: 'presence_rate', unit: 'fraction_0_1', source: 'runs' });
        const { window_value, interval, trend } = body.series[0]!;
        expect([window_value, interval]).to.deep.equal([presence_rate, intervals.presence_rate]);
        const { previous, ...rest } = change.presence_rate;
        expect(trend).to.deep.equal({
          previous_window_value: previous,
          delta_unit: 'fraction_points',
          ...rest,
        });
        expect(trend!.verdict).to.equal('up');
      }
    });

    it('compare with the preceding window, by unrounded values', async () => {
      await server.collect(
        ...['a', 'b', 'c'].map((id) =>
          runOf(id, { ...at('2026-11-18'), mentions: id === 'a' ? [acme(1, 'negative'), globex(2)] : [] }),
        ),
        runOf('d', { ...at('2026-11-19'), mentions: [acme(1, 'positive')] }),
        runOf('e', { ...at('2026-11-20'), mentions: [globex(1)] }),
      );
      const range = '&from=2026-11-19&to=2026-11-20';
      expect((await own('visibility', range)).trend).to.deep.equal({
        previous_window_value: 33.3,
        delta: 50,
        delta_unit: 'relative_pct',
        difference: 16.7,
        ...tooFew(2, 1),
      });
      expect((await own('share_of_voice_fraction', range)).trend).to.deep.equal({
        previous_window_value: 0.5,
        delta: 0,
        delta_unit: 'fraction_points',
        difference: 0,
        ...tooFew(2, 1),
      });
      expect((await own('sentiment_index', range)).trend).to.deep.equal({
        previous_window_value: 0,
        delta: 100,
        delta_unit: 'index_points',
        difference: 100,
        ...tooFew(1, 1),
      });
      const cited = await history('citation_share', range);
      expect(cited.series[0]!.trend).to.equal(null);
      expect(cited.note).to.equal('No trend: the metric was not measured in the window before.');
    });

    it('have no delta relative to zero but a difference, and neither without a window value', async () => {
      await server.collect(
        runOf('a', at('2026-11-18')),
        runOf('b', { ...at('2026-11-19'), mentions: [acme(1, 'neutral')] }),
      );
      expect((await own('visibility', '&from=2026-11-19&to=2026-11-20')).trend).to.deep.equal({
        previous_window_value: 0,
        delta: null,
        delta_unit: 'relative_pct',
        difference: 100,
        ...tooFew(1, 1),
      });
      const after = await history('sentiment_index', '&from=2026-11-20&to=2026-11-21');
      expect(after.series[0]!.trend).to.deep.equal({
        previous_window_value: 50,
        delta: null,
        delta_unit: 'index_points',
        difference: null,
        ...tooFew(0, 1),
      });
      expect(after.note).to.match(/^Nothing was collected in this scope from 2026-11-20 to 2026-11-21/);
    });

    it('are noted for a series without a trend if others have one', async () => {
      await server.collect(
        runOf('a', { ...at('2026-11-17'), mentions: [acme(1, 'neutral')] }),
        runOf('b', {
          ...at('2026-11-19'),
          mentions: [acme(1, 'neutral'), { ...globex(2), sentiment: 'neutral' }],
        }),
      );
      const { series, note } = await history(
        'sentiment_index',
        '&from=2026-11-18&to=2026-11-19&competitors=true',
      );
      expect(series.map(({ trend }) => trend === null)).to.deep.equal([false, true]);
      expect(note).to.equal('No trend for Globex: the metric was not measured in the window before.');
    });

    it('have no trend for a single day, or if the preceding window begins before the live horizon', async () => {
      await server.collect(runOf('a', at('2026-11-19')), runOf('b'));
      const single = await history('visibility', `&from=${TODAY}&to=${TODAY}`);
      expect([single.series[0]!.trend, single.note]).to.deep.equal([null, 'A single day has no trend.']);
      const whole = await history('visibility', '&days=56');
      expect([whole.window.start, whole.series[0]!.trend]).to.deep.equal([HORIZON, null]);
      expect(whole.note).to.match(/before the live run horizon \(2026-09-26\)/);
      const half = await history('visibility', '&days=28');
      expect(half.note).to.equal(
        'Measured from 2026-11-19 on: no earlier answer is stored. No trend: the metric was not measured in the window before.',
      );
      const late = await history('visibility', '&from=2026-10-10&to=2026-10-24');
      expect(late.note).to.match(/would begin on 2026-09-25, before the live run horizon/);
    });
  });

  describe('presets', () => {
    it('end on the newest day of the selected engines, and have 28 days by default', async () => {
      await server.collect(runOf('a', at('2026-11-10')), runOf('b', { engine: 'llama' }));
      expect((await history('visibility')).window).to.deep.equal({
        start: '2026-10-14',
        end: '2026-11-10',
        days: 28,
      });
      expect((await history('visibility', '&days=7&engine=llama')).window.end).to.equal(TODAY);
    });

    it('are clamped to the live horizon, with a note', async () => {
      await server.collect(runOf('a', at('2026-10-01')));
      const body = await history('visibility');
      expect(body.window).to.deep.equal({ start: HORIZON, end: '2026-10-01', days: 6 });
      expect(body.series[0]!.points).to.have.lengthOf(6);
      expect(body.note).to.match(/^The window was cut .*: 6 of 28 days\./);
    });

    it('have no window for a brand without runs since the horizon, with a note about its newest day', async () => {
      await server.collect(runOf('a', at('2026-09-25')));
      const body = await history('visibility', '&days=7');
      expect(body.window).to.deep.equal({ start: null, end: null, days: 7 });
      expect(body.series[0]).to.deep.equal({
        id: 'b',
        name: 'Acme',
        is_brand: true,
        points: [],
        window_value: null,
        interval: null,
        window_run_count: 0,
        low_confidence: true,
        trend: null,
        measured_since: null,
      });
      expect(body.source).to.equal('runs');
      expect(body.note).to.match(/since 2026-09-25.*Ask for older days with from and to\.$/);
    });

    it('have no window, like custom ranges, for engines that never collected', async () => {
      await server.collect(runOf('a', { engine: 'llama' }));
      for (const [query, days, source] of [
        ['', 28, 'runs'],
        ['&from=2026-11-01&to=2026-11-03', 3, 'runs'],
        ['&from=2026-01-01&to=2026-01-31', 31, 'daily_stats'],
      ] as const) {
        const body = await history('visibility', `${query}&competitors=true`);
        expect(body.window).to.deep.equal({ start: null, end: null, days });
        expect(body.series.map(({ points }) => points.length)).to.deep.equal([0, 0]);
        expect([body.source, body.note]).to.deep.equal([source, 'Nothing was ever collected in this scope.']);
      }
    });
  });
});
