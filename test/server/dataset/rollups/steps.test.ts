import { expect } from 'chai';
import { stepsOf } from '../../../../src/server/dataset/rollups/steps.js';
import { addDays } from '../../../../src/server/days.js';

const days = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays('2026-01-01', at)).reverse();
/** Steps of days that have so many runs each, as numbers of days. */
const sizes = (count: number, runs: number): number[] =>
  stepsOf(days(count), new Map(days(count).map((day) => [day, runs]))).map(({ length }) => length);

describe('steps of a rebuild', () => {
  it('have a week of a brand with many runs', () => {
    expect(sizes(16, 50_000)).to.deep.equal([7, 7, 2]);
  });

  it('have as many days as have 10,000 runs together', () => {
    expect(sizes(100, 250)).to.deep.equal([40, 40, 20]);
    expect(sizes(365, 1)).to.deep.equal([365]);
  });

  it('have every day once, sorted, those without runs too', () => {
    const found = stepsOf(days(30), new Map([['2026-01-05', 20_000]]));
    expect(found.flat()).to.deep.equal(days(30).reverse());
    expect(stepsOf([], new Map())).to.deep.equal([]);
  });
});
