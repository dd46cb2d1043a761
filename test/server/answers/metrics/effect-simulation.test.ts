/**
 * Whether the effect keeps what it promises, on simulated panels: prompts with base rates of their own, shocks of days that all prompts have in
 * common, prompts that drift for weeks, a model that changes in the middle, and treated prompts that somebody chose because they
 * were weak. Beside it the obvious difference of differences, which praises the regression to the mean.
 */
import { expect } from 'chai';
import { type Random, randomOf } from '../../../../src/demo/data/random.js';
import {
  effectInterval,
  estimateEffect,
  isBeyond,
  type PromptPair,
  type PromptWindow,
  sideOf,
} from '../../../../src/server/answers/metrics/effect.js';
import { studentQuantile } from '../../../../src/server/answers/metrics/student.js';

const ENGINES = 5;
const SHOCK = 0.3;

interface Setting {
  readonly prompts: number;
  readonly days: number;
  readonly treated: number;
  readonly chosen: 'at random' | 'weaker half' | 'weakest';
  /** Of the walk of each prompt, a day, in log odds. */
  readonly drift: number;
  /** What a model that changes adds to the log odds of all prompts. */
  readonly model: number;
  /** What was done adds to the chance of the brand. */
  readonly effect: number;
}

const QUIET: Setting = {
  ...{ prompts: 30, days: 14, treated: 6, chosen: 'at random', drift: 0, model: 0, effect: 0 },
};

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** How many of n independent draws, by the normal distribution where that is exact enough for sums of a window. */
function drawn(random: Random, chances: readonly number[]): number {
  const mean = chances.reduce((sum, each) => sum + each, 0);
  const spread = Math.sqrt(chances.reduce((sum, each) => sum + each * (1 - each), 0));
  return Math.max(0, Math.min(chances.length, Math.round(mean + spread * normal(random))));
}

interface Simulated {
  readonly treated: readonly PromptPair[];
  readonly controls: readonly PromptPair[];
}

function simulate(setting: Setting, random: Random): Simulated {
  const { prompts, days, drift, model, effect } = setting;
  const shocks = Array.from({ length: 2 * days }, () => SHOCK * normal(random));
  const states = Array.from({ length: prompts }, () => ({ base: -0.8 + 1.1 * normal(random), walk: 0 }));
  const windowOf = (state: (typeof states)[number], first: number, gain: number): PromptWindow => {
    const chances: number[] = [];
    for (let day = first; day < first + days; day++) {
      state.walk += drift * normal(random);
      const odds = state.base + state.walk + shocks[day]! + (first > 0 ? model : 0);
      const chance = Math.min(0.98, Math.max(0.005, 1 / (1 + Math.exp(-odds)) + gain));
      for (let engine = 0; engine < ENGINES; engine++) chances.push(chance);
    }
    const present = drawn(random, chances);
    return { runs: chances.length, present, value: present / chances.length };
  };
  const before = states.map((state) => windowOf(state, 0, 0));
  const treated = chosenOf(setting, before, random);
  const pairs = states.map((state, at) => ({
    before: before[at]!,
    after: windowOf(state, days, treated.has(at) ? effect : 0),
  }));
  return {
    treated: pairs.filter((_, at) => treated.has(at)),
    controls: pairs.filter((_, at) => !treated.has(at)),
  };
}

function chosenOf(
  { treated, chosen }: Setting,
  before: readonly PromptWindow[],
  random: Random,
): Set<number> {
  const all = before.map((_, at) => at);
  const weak = all.toSorted((a, b) => before[a]!.value - before[b]!.value);
  const among = {
    'at random': all,
    'weaker half': weak.slice(0, all.length / 2),
    weakest: weak.slice(0, treated),
  };
  return new Set(random.sample(among[chosen], treated, () => 1));
}

const sideOfEffect = ({ treated, controls }: Simulated): number =>
  sideOf(effectInterval(estimateEffect(treated, controls, 1)!));

/** The mean rise of the treated prompts less that of the others, by Student’s t with equal variances. */
function sideOfDifference({ treated, controls }: Simulated): number {
  const rises = [treated, controls].map((rows) =>
    rows.map(({ before, after }) => after.value - before.value),
  );
  const mean = (rows: readonly number[]) => rows.reduce((sum, each) => sum + each, 0) / rows.length;
  const freedom = treated.length + controls.length - 2;
  const spread = rises
    .flatMap((rows) => rows.map((each) => (each - mean(rows)) ** 2))
    .reduce((a, b) => a + b, 0);
  const error = Math.sqrt((spread / freedom) * (1 / treated.length + 1 / controls.length));
  const difference = mean(rises[0]!) - mean(rises[1]!);
  const radius = studentQuantile(freedom) * error;
  return sideOf([difference - radius, difference + radius]);
}

/** The shares of panels that are told up, or down, in percent. */
function told(setting: Setting, panels: number, side: (panel: Simulated) => number = sideOfEffect) {
  const random = randomOf('effects', JSON.stringify(setting));
  const sides = Array.from({ length: panels }, () => side(simulate(setting, random)));
  const share = (wanted: number) => (100 * sides.filter((each) => each === wanted).length) / panels;
  return { up: share(1), down: share(-1) };
}

const PANELS = 400;

describe('metric: the effect on simulated panels', () => {
  const all = ['at random', 'weaker half', 'weakest'] as const;
  const inRange = ['at random', 'weaker half'] as const;
  const disturbances: readonly (readonly [string, Partial<Setting>, readonly Setting['chosen'][]])[] = [
    ['in 14 days', {}, all],
    ['in 28 days with drift', { days: 28, drift: 0.05 }, all],
    ['with a model that is a little better from the middle on', { model: 0.25 }, all],
    ['with another model from the middle on', { model: -0.5 }, inRange],
    ['of 200 prompts with drift', { prompts: 200, treated: 20, drift: 0.05 }, all],
    [
      'of 200 prompts with drift and another model',
      { prompts: 200, treated: 20, drift: 0.05, model: 0.5 },
      inRange,
    ],
  ];
  for (const [name, disturbed, ways] of disturbances)
    it(`praises nothing, and blames nothing, where nothing was done: ${name}`, () => {
      for (const chosen of ways) {
        const setting = { ...QUIET, ...disturbed, chosen };
        const { up, down } = told(setting, setting.prompts === 200 ? PANELS / 2 : PANELS);
        expect(up, `${chosen}, up`).to.be.at.most(6);
        expect(up + down, `${chosen}, up or down`).to.be.at.most(9);
      }
    }).timeout(30_000);

  it('is drawn beyond the controls where the weakest were chosen, which another model makes unreliable', () => {
    const weakest: Setting = { ...QUIET, chosen: 'weakest', model: -0.5 };
    expect(told(weakest, PANELS).up).to.be.below(12);
    expect(told(weakest, PANELS, sideOfDifference).up).to.be.above(40);
    const many = { ...weakest, prompts: 200, treated: 20 };
    expect(told(many, PANELS / 4).up).to.be.above(20);
    const { treated, controls } = simulate(many, randomOf('beyond'));
    expect(isBeyond(treated, controls)).to.equal(true);
    const usual = simulate({ ...many, chosen: 'weaker half' }, randomOf('beyond'));
    expect(isBeyond(usual.treated, usual.controls)).to.equal(false);
  });

  it('does not praise the regression to the mean, which the difference of differences praises', () => {
    const weakest: Setting = { ...QUIET, chosen: 'weakest' };
    expect(told(weakest, PANELS, sideOfDifference).up).to.be.above(5);
    expect(told(weakest, PANELS).up).to.be.at.most(3);
  });

  it('sees 15 points of one prompt in most panels of four weeks, of three prompts in nine of ten', () => {
    const done: Setting = { ...QUIET, effect: 0.15 };
    expect(told({ ...done, treated: 1 }, PANELS).up).to.be.above(40);
    expect(told({ ...done, treated: 1, days: 28 }, PANELS).up).to.be.above(70);
    expect(told({ ...done, treated: 3 }, PANELS).up).to.be.above(85);
    expect(told({ ...done, days: 28, chosen: 'weaker half' }, PANELS).up).to.be.above(97);
  });
});
