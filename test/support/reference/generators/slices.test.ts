import { expect } from 'chai';
import { customWindow } from '../parameters.js';
import { chosenRuns } from '../slices.js';
import { CASES } from './cases.js';
import { TODAY } from './seeds.js';
import { randomSlices } from './slices.js';

const DRAWN = CASES.slice(0, 120).flatMap((of) =>
  randomSlices(of.seed, of.records, of.brand.id, TODAY, 6).map((slice) => ({
    ...of,
    slice,
    chosen: chosenRuns(of.records, of.brand, TODAY, slice),
  })),
);
const count = (shows: (of: (typeof DRAWN)[number]) => boolean) => DRAWN.filter(shows).length;

describe('random slices', () => {
  it('reach each parameter, several values, repeated values, no run, few and many', () => {
    for (const list of ['engines', 'prompts', 'topics', 'tags', 'regions'] as const) {
      expect(count(({ slice }) => slice[list]?.length === 1)).to.be.above(20);
      expect(count(({ slice }) => new Set(slice[list]).size > 1)).to.be.above(20);
      expect(count(({ slice }) => new Set(slice[list]).size < (slice[list]?.length ?? 0))).to.be.above(5);
    }
    expect(count(({ slice }) => Object.keys(slice).length === 1)).to.be.above(20);
    expect(count(({ slice }) => customWindow(slice) !== null)).to.be.above(50);
    expect(count(({ chosen }) => chosen.isNothing)).to.be.above(50);
    expect(count(({ chosen }) => chosen.runs.length > 0 && chosen.priorRuns.length > 0)).to.be.above(50);
    expect(count(({ chosen }) => chosen.runs.length > 20)).to.be.above(20);
    expect(count(({ chosen }) => chosen.echo.window.days >= 28 && chosen.runs.length > 0)).to.be.above(20);
  });
});
