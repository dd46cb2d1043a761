import { expect } from 'chai';
import { addDays, dayOf, horizonStart } from '../days.js';
import type { DatasetRecord, ExpectedHistory } from '../index.js';
import {
  BAD_REQUEST,
  expectedAds,
  expectedHistory,
  expectedSentiment,
  expectedShopping,
  expectedShoppingTrend,
  OPEN,
  queryOf,
  randomHistoryDataset,
  randomParameters,
  WORDS,
} from '../index.js';
import { recordsOf } from '../records.js';
import { newestDay } from '../runs.js';
import type { Scope } from '../scope.js';
import { everyScope } from '../scope.js';
import { memoisedUrlRules } from '../url-rules/memoised.js';
import { plainUrlRules } from '../url-rules/plain.js';
import { SEEDS, TODAY } from './seeds.js';

const rules = memoisedUrlRules(plainUrlRules);
const DATASETS = SEEDS.map((seed) => randomHistoryDataset(seed, TODAY));

/** What a read answers to every scope of every data set. */
function everywhere<T>(
  answer: (records: DatasetRecord[], scope: Scope, seed: number) => T,
  datasets = DATASETS,
): T[] {
  return datasets.flatMap((records, seed) =>
    everyScope(records, TODAY).map((scope) => answer(records, scope, seed)),
  );
}

describe('random history data sets reach every case', () => {
  it('sentiment: empty and full, quotes above the cap, several in one run', () => {
    const bodies = everywhere((records, scope) => expectedSentiment(records, scope, { days: 56 })!);
    expect(bodies.filter((body) => body.run_count === 0).length).to.be.above(3);
    expect(bodies.filter((body) => body.quotes_total > 40).length).to.be.above(6);
    expect(
      bodies.some(({ quotes }) => new Set(quotes.map((each) => each.run_id)).size < quotes.length),
    ).to.equal(true);
  });

  it('ads: never, none in the window, above the cap', () => {
    const bodies = everywhere((records, scope) => expectedAds(records, scope, { days: 56 })!);
    expect(bodies.some((body) => body.window.start === null)).to.equal(true);
    expect(bodies.some((body) => body.totals.units > 200)).to.equal(true);
    expect(bodies.filter((body) => body.note === null).length).to.be.above(6);
  });

  it('shopping: no carousel, own products seen and unseen, above the cap, one day and several', () => {
    const bodies = everywhere((records, scope) => expectedShopping(records, scope)).filter(
      (body) => body !== null,
    );
    expect(bodies.filter((body) => body.totals.carousels === 0).length).to.be.above(3);
    expect(bodies.filter((body) => body.totals.products > 30).length).to.be.above(3);
    expect(bodies.filter((body) => body.totals.own_appearances > 0).length).to.be.above(3);
    const days = everywhere((records, scope) => expectedShoppingTrend(records, scope)?.days_observed);
    expect(days).to.include.members([undefined, 0, 1, 7]);
    const points = everywhere((records, scope) => expectedShoppingTrend(records, scope)?.trend ?? []).flat();
    expect(points.some((point) => point.own_avg_position === null)).to.equal(true);
    expect(points.some((point) => point.own_win_share > 0)).to.equal(true);
  });

  it('history: both sources, refusals, clamped axes, trends of all kinds, values that are null with a sample', () => {
    const answers = everywhere(
      (records, scope, seed) =>
        randomParameters(seed, TODAY).history.map(
          (params) => expectedHistory(records, scope, params, rules)!,
        ),
      DATASETS.slice(0, 20),
    ).flat();
    expect(answers.filter((answer) => answer === BAD_REQUEST).length).to.be.above(6);
    const bodies = answers.filter((answer): answer is ExpectedHistory => answer !== BAD_REQUEST);
    const count = (shows: (body: ExpectedHistory) => boolean) => bodies.filter(shows).length;
    expect(count((body) => body.source === 'daily_stats' && body.window.start !== null)).to.be.above(6);
    expect(count((body) => body.window.start === null)).to.be.above(6);
    expect(count((body) => body.window.start === horizonStart(TODAY) && body.window.days < 56)).to.be.above(
      1,
    );
    expect(count((body) => body.note === null)).to.be.above(6);
    expect(count((body) => body.note === WORDS)).to.be.above(6);
    const series = bodies.flatMap((body) => body.series);
    expect(series.filter((each) => each.trend?.delta === null).length).to.be.above(1);
    expect(series.filter((each) => typeof each.trend?.delta === 'number').length).to.be.above(30);
    const points = series.flatMap((each) => each.points);
    expect(points.some((point) => point.value === null && point.sample_size > 0)).to.equal(true);
    const open = points.filter((point) => point.value === OPEN).length;
    expect(open).to.be.below(points.length / 100);
  });

  it('daily statistics on days with runs and without, entities missing on some days, brands gone stale', () => {
    const withRuns = DATASETS.flatMap((records) => {
      const days = new Set(recordsOf(records, 'run').map((run) => `${run.brand} ${dayOf(run.collected_at)}`));
      return recordsOf(records, 'daily_stat').map((stat) => days.has(`${stat.brand} ${stat.date}`));
    });
    expect(withRuns.filter((has) => has).length).to.be.above(30);
    expect(withRuns.filter((has) => !has).length).to.be.above(30);
    const missing = everywhere((records, scope) => {
      const stats = recordsOf(records, 'daily_stat').filter((stat) => stat.brand === scope.brand);
      const dated = new Set(stats.map((stat) => stat.date)).size;
      const ofBrand = new Set(stats.filter((stat) => stat.entity === scope.brand).map((stat) => stat.date))
        .size;
      return ofBrand < dated;
    });
    expect(missing.filter((some) => some).length).to.be.above(6);
    const newest = everywhere((records, scope) =>
      newestDay(
        recordsOf(records, 'run').flatMap((run) =>
          run.brand === scope.brand ? dayOf(run.collected_at) : [],
        ),
      ),
    );
    expect(newest).to.include.members([null, TODAY, addDays(TODAY, -10)]);
    expect(newest.some((day) => day !== null && day < horizonStart(TODAY))).to.equal(true);
  });

  it('fact checks of every age occur, and none', () => {
    const ages = DATASETS.flatMap((records) => recordsOf(records, 'fact_check')).map(({ checked_at }) =>
      String(Math.floor((Date.parse(`${TODAY}T12:00:00Z`) - Date.parse(checked_at)) / 86_400_000)),
    );
    expect(ages).to.include.members(['0', '3', '6', '7', '40', 'NaN']);
    expect(DATASETS.some((records) => recordsOf(records, 'fact_check').length === 0)).to.equal(true);
  });

  it('parameters spell as a query', () => {
    expect(queryOf({ metric: 'visibility', days: 7, engines: ['aio', 'aio'], competitors: true })).to.equal(
      'metric=visibility&days=7&engine=aio%2Caio&competitors=true',
    );
    expect(queryOf({})).to.equal('');
  });
});
