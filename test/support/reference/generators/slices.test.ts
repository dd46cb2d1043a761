import { expect } from 'chai';
import { customWindow } from '../parameters.js';
import { recordsOfBrand } from '../records.js';
import { chosenRuns } from '../slices.js';
import { CASES, TODAY } from './seeds.js';
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
  it('one seed is one list of slices, and none of them is empty', () => {
    const [{ records, brand }] = CASES as [(typeof CASES)[number]];
    const draw = (seed: number) => randomSlices(seed, records, brand.id, TODAY, 9);
    expect(draw(1)).to.deep.equal(draw(1));
    expect(draw(1)).not.to.deep.equal(draw(2));
    expect(count(({ chosen }) => chosen.echo.slice === null)).to.equal(0);
  });

  it('name only what the brand has', () => {
    for (const { records, brand, slice } of DRAWN) {
      const prompts = recordsOfBrand(records, 'prompt', brand.id);
      const runs = recordsOfBrand(records, 'run', brand.id);
      expect(prompts.map(({ id }) => id)).to.include.members(slice.prompts ?? []);
      expect(prompts.flatMap(({ tags }) => tags ?? [])).to.include.members(slice.tags ?? []);
      expect(runs.map(({ region }) => region)).to.include.members(slice.regions ?? []);
    }
  });

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
