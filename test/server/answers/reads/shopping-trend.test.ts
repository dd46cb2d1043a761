import { expect } from 'chai';
import type { ShoppingTrend } from '../../../../src/contract/reads/shopping-trend.js';
import { fresh } from '../../../support/hooks.js';
import { at, marketServer, runOf } from './support/market-server.js';

const own = (slot: number) => ({ slot, product: 'Own', is_own: true });
const other = (slot: number) => ({ slot, product: 'Other' });
const shelf = (...carousels: object[][]) => ({ carousels: carousels.map((placements) => ({ placements })) });

describe('read: shopping-trend', () => {
  const server = fresh(marketServer);

  const trend = () => server.body<ShoppingTrend>('shopping-trend');

  it('returns a point per day with carousels, oldest first, over all engines', async () => {
    await server.collect(
      runOf('a', { ...at('2026-11-20'), ...shelf([own(1), own(4), other(2)], [other(1), own(2)]) }),
      runOf('b', { ...at('2026-11-20'), engine: 'aio', ...shelf([other(1)]) }),
      runOf('c', { ...at('2026-11-14', '00:00:00'), ...shelf([other(1), other(2)]) }),
      runOf('d', { ...at('2026-11-13', '23:59:59.999'), ...shelf([own(1)]) }),
      runOf('e', at('2026-11-17')),
    );
    const { trend: points, days_observed, window_days, note } = await trend();
    expect(points).to.deep.equal([
      { date: '2026-11-14', carousels: 1, own_carousel_share: 0, own_win_share: 0, own_avg_position: null },
      {
        date: '2026-11-20',
        carousels: 3,
        own_carousel_share: 2 / 3,
        own_win_share: 1 / 3,
        own_avg_position: 7 / 3,
      },
    ]);
    expect({ days_observed, window_days, note }).to.deep.equal({
      days_observed: 2,
      window_days: 7,
      note: null,
    });
  });

  it('notes that a single day is a snapshot', async () => {
    await server.collect(runOf('a', shelf([own(1)])));
    const body = await trend();
    expect(body.days_observed).to.equal(1);
    expect(body.note).to.match(/a snapshot, not a trend/);
  });

  it('returns no points without carousels, and notes what that means', async () => {
    await server.collect(runOf('a'));
    const body = await trend();
    expect(body).to.deep.include({ days_observed: 0, trend: [] });
    expect(body.note).to.match(/absence of data/);
  });

  it('does not count a carousel that its run no longer has', async () => {
    await server.collect(runOf('a', shelf([own(1)])));
    await server.load([runOf('a', at('2026-11-18'))]);
    expect((await trend()).trend).to.deep.equal([]);
  });
});
