import { expect } from 'chai';
import { currentWindow, dayOf, priorWindow } from '../days.js';
import { expectedAnswers, expectedOverview, expectedSources, expectedUrls } from '../index.js';
import type { DatasetRecord } from '../records.js';
import { recordsOf, recordsOfBrand } from '../records.js';
import { blendedRuns, runsWithin } from '../runs.js';
import { plainUrlRules as rules } from '../url-rules/plain.js';
import { CASES } from './cases.js';
import { randomDataset } from './dataset.js';
import { SEEDS, TODAY } from './seeds.js';

const DATASETS = SEEDS.map((seed) => randomDataset(seed, TODAY));

/** How many of the data sets show a feature. */
function countOf(shows: (records: DatasetRecord[]) => boolean): number {
  return DATASETS.filter(shows).length;
}

const overviewsOf = (records: DatasetRecord[]) =>
  recordsOf(records, 'brand').flatMap(
    ({ workspace, id }) => expectedOverview(records, { workspace, brand: id, today: TODAY }, rules) ?? [],
  );

/** How many brands have a verdict if no run states its surface, and none as it is. */
function unknownBySurfaces(): number {
  const verdictsOf = (records: DatasetRecord[]) =>
    overviewsOf(records).map(
      ({ change }) => (change as { presence_rate: { verdict: string } }).presence_rate.verdict,
    );
  return DATASETS.flatMap((records) => {
    const unstated = records.map((each) => (each.type === 'run' ? { ...each, surface: null } : each));
    const [verdicts, without] = [verdictsOf(records), verdictsOf(unstated)];
    return verdicts.filter((verdict, at) => verdict === 'unknown' && without[at] !== 'unknown');
  }).length;
}

describe('random data sets reach every case', () => {
  it('brands without runs, archived, stalled, with only knowledge engines and with few runs all occur', () => {
    const some = (shows: (runs: number, prior: number, blended: number) => boolean) =>
      CASES.some(({ records, brand, runs }) =>
        shows(
          runsWithin(records, brand.id, currentWindow(TODAY)).length,
          blendedRuns(records, brand.id, priorWindow(TODAY)).length,
          runs.length,
        ),
      );
    expect(some((runs, prior) => runs === 0 && prior > 0)).to.equal(true);
    expect(some((runs, prior) => runs === 0 && prior === 0)).to.equal(true);
    expect(some((runs, _, blended) => runs > 0 && blended === 0)).to.equal(true);
    expect(some((_, prior, blended) => prior === 0 && blended > 0)).to.equal(true);
    expect(some((_, __, blended) => blended > 0 && blended < 5)).to.equal(true);
    expect(countOf((records) => recordsOf(records, 'brand').some((brand) => brand.archived_at))).to.be.above(
      5,
    );
    const uncollected = (records: DatasetRecord[]) =>
      recordsOf(records, 'brand').some((brand) => recordsOfBrand(records, 'run', brand.id).length === 0);
    expect(countOf(uncollected)).to.be.above(5);
    expect(countOf((records) => recordsOf(records, 'workspace').length === 2)).to.be.above(15);
  });

  it('the caps of sources and urls are crossed, and with more runs that of answers', () => {
    const crossed = (rows: number, cap: number) => rows > cap;
    const sources = CASES.filter((of) =>
      crossed(expectedSources(of.records, of.scope, rules)!.listing.length, 20),
    );
    const urls = CASES.filter((of) => crossed(expectedUrls(of.records, of.scope, rules)!.listing.length, 50));
    expect(sources.length).to.be.above(5);
    expect(urls.length).to.be.above(5);
    const many = SEEDS.slice(0, 10).map((seed) => randomDataset(seed, TODAY, { runs: 800 }));
    const answers = many.flatMap((records) =>
      recordsOf(records, 'brand').map((brand) => {
        const scope = { workspace: brand.workspace, brand: brand.id, today: TODAY };
        return expectedAnswers(records, scope, rules)?.listing.length ?? 0;
      }),
    );
    expect(Math.max(...answers)).to.be.above(200);
  });

  it('runs without an answer, stated outcomes, and windows whose surfaces changed occur', () => {
    const overviews = DATASETS.flatMap(overviewsOf);
    const shown = overviews.flatMap((body) => body.shown ?? []);
    expect(shown.filter(({ shown_rate }) => shown_rate! < 1).length).to.be.above(10);
    expect(shown.filter(({ interval }) => interval !== null).length).to.be.above(10);
    expect(overviews.some((body) => body.shown === null)).to.equal(true);
    expect(unknownBySurfaces()).to.be.above(3);
  });

  it('times whose written date is not their UTC date, tied orders and repeated lines occur', () => {
    const runs = DATASETS.flatMap((records) => recordsOf(records, 'run'));
    expect(runs.some((run) => run.collected_at.slice(0, 10) !== dayOf(run.collected_at))).to.equal(true);
    expect(runs.some((run) => run.collected_at.includes('23:59:59.999'))).to.equal(true);
    expect(runs.some((run) => dayOf(run.collected_at) > TODAY)).to.equal(true);
    const tied = runs.filter(
      (run) => new Set(run.mentions.map((mention) => mention.order)).size < run.mentions.length,
    );
    expect(tied.length).to.be.above(30);
    const repeats = countOf(
      (records) => new Set(records.map((each) => JSON.stringify(each))).size < records.length,
    );
    expect(repeats).to.be.above(5);
  });
});
