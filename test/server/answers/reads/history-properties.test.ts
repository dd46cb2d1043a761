import { expect } from 'chai';
import { averagedMeasures } from '../../../../src/contract/measures.js';
import { type History, historyMetricNames } from '../../../../src/contract/reads/history.js';
import type { Overview } from '../../../../src/contract/reads/overview.js';
import { roundedValue } from '../../../../src/server/answers/metrics/values.js';
import { addDays, daysIn } from '../../../../src/server/base/days.js';
import { onServer } from '../../../support/on-server.js';
import { everyScope, randomDataset, recordsOf } from '../../../support/reference/index.js';
import { type TestServer, testServer } from '../../../support/server.js';

const TODAY = '2026-11-20';
const WEEK = { start: addDays(TODAY, -6), end: TODAY };

describe('read: metrics/history on random data sets', () => {
  let server: TestServer;
  const read = <T>(path: string): Promise<T> => {
    server.now = new Date(server.now.getTime() + 500);
    return server.read<T>(path);
  };
  const history = (query: string) => read<History>(`/api/v1/metrics/history?${query}`);
  const collected = (records: ReturnType<typeof randomDataset>) => [
    ...new Set(recordsOf(records, 'run').map(({ brand }) => brand)),
  ];

  for (const seed of onServer([0, 1, 2], [1])) {
    const records = randomDataset(seed, TODAY);
    describe(`data set ${seed}`, () => {
      before(async () => {
        server = await testServer({ now: new Date(`${TODAY}T12:00:00Z`) });
        await server.load(records);
      });
      after(() => server.close());

      it('returns for the last 7 days the values of overview', async () => {
        expect(everyScope(records, TODAY)).not.to.have.lengthOf(0);
        for (const brand of collected(records)) {
          const overview = await read<Overview>(`/api/v1/overview?brand=${brand}`);
          for (const metric of historyMetricNames) {
            const { series, window } = await history(
              `brand=${brand}&metric=${metric}&from=${WEEK.start}&to=${WEEK.end}`,
            );
            const [own] = series;
            if (window.start === null) {
              expect(overview.run_count).to.equal(0);
              continue;
            }
            const stated = overview[metric];
            const value = metric === 'citation_share' ? roundedValue(metric, stated) : stated;
            // Overview returns 0 for values that were not measured if their type has no null.
            expect(own!.window_value ?? (value === null ? null : 0), `${brand} ${metric}`).to.equal(value);
            expect(own!.window_run_count).to.equal(overview.run_count);
            expect(own!.points.reduce((sum, point) => sum + point.sample_size, 0)).to.equal(
              overview.run_count,
            );
            expect(own!.points).to.have.lengthOf(daysIn(WEEK));
          }
        }
      });

      it('returns the same points from stored statistics as from runs', async () => {
        for (const brand of collected(records)) {
          for (const query of [
            ...historyMetricNames.map((metric) => `metric=${metric}&engine=aio`),
            ...averagedMeasures.map((metric) => `metric=${metric}`),
          ]) {
            const asked = `brand=${brand}&${query}&competitors=true&to=${TODAY}`;
            const live = await history(`${asked}&from=${addDays(TODAY, -20)}`);
            const stored = await history(`${asked}&from=${addDays(TODAY, -80)}`);
            expect([live.source, stored.source]).to.deep.equal(['runs', 'daily_stats']);
            for (const [at, series] of live.series.entries()) {
              const points = stored.series[at]!.points;
              expect(points.slice(-series.points.length), `${brand} ${query}`).to.deep.equal(series.points);
              expect(
                points.slice(0, -series.points.length).every(({ sample_size }) => sample_size === 0),
              ).to.equal(true);
            }
          }
        }
      });
    });
  }
});
