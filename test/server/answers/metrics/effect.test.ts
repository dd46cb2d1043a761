/** What the formula of an effect keeps, whatever the panel. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  detectableEffect,
  type EffectEstimate,
  effectInterval,
  estimateEffect,
  type PromptPair,
  type PromptWindow,
} from '../../../../src/server/answers/metrics/effect.js';
import { studentQuantile } from '../../../../src/server/answers/metrics/student.js';
import { exceeds } from '../../../support/reference/student.js';

const SCALE = 100;

const window: fc.Arbitrary<PromptWindow> = fc
  .record({ runs: fc.integer({ min: 1, max: 200 }), part: fc.integer({ min: 0, max: 40 }) })
  .map(({ runs, part }) => ({ runs, present: Math.round((runs * part) / 40), value: (SCALE * part) / 40 }));
const pair = fc.record({ before: window, after: window });
const panel = fc.record({
  treated: fc.array(pair, { minLength: 1, maxLength: 10 }),
  controls: fc.array(pair, { minLength: 8, maxLength: 40 }),
});

const estimate = (treated: readonly PromptPair[], controls: readonly PromptPair[]): EffectEstimate =>
  estimateEffect(treated, controls, SCALE)!;

const close = (found: number, wanted: number): void => {
  expect(Math.abs(found - wanted), `${found} instead of ${wanted}`).to.be.below(1e-7);
};

const changed = (
  rows: readonly PromptPair[],
  at: keyof PromptPair,
  by: (value: number) => number,
): PromptPair[] => rows.map((row) => ({ ...row, [at]: { ...row[at], value: by(row[at].value) } }));

describe('metric: the effect of what was done', () => {
  it('is the same if all prompts rise or fall by one amount, as when a model changes', () =>
    fc.assert(
      fc.property(panel, fc.integer({ min: -50, max: 50 }), ({ treated, controls }, amount) => {
        const before = estimate(treated, controls);
        const shifted = (rows: readonly PromptPair[]) => changed(rows, 'after', (value) => value + amount);
        const after = estimate(shifted(treated), shifted(controls));
        close(after.effect, before.effect);
        close(after.error, before.error);
      }),
    ));

  it('rises by what the treated prompts rise by, and its interval with it', () =>
    fc.assert(
      fc.property(panel, fc.integer({ min: -50, max: 50 }), ({ treated, controls }, amount) => {
        const before = estimate(treated, controls);
        const after = estimate(
          changed(treated, 'after', (value) => value + amount),
          controls,
        );
        close(after.effect, before.effect + amount);
        for (const [at, bound] of effectInterval(after).entries())
          close(bound, effectInterval(before)[at]! + amount);
      }),
    ));

  it('does not depend on the order of prompts', () =>
    fc.assert(
      fc.property(panel, fc.func(fc.integer()), ({ treated, controls }, key) => {
        const order = (rows: readonly PromptPair[]) =>
          rows
            .map((row, at) => ({ row, at: key(at) }))
            .sort((a, b) => a.at - b.at)
            .map(({ row }) => row);
        const [one, other] = [estimate(treated, controls), estimate(order(treated), order(controls))];
        close(other.effect, one.effect);
        close(other.error, one.error);
      }),
    ));

  it('is nothing where treated prompts are as the line of the others says, however weak they were', () =>
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 8, maxLength: 30 }),
        fc.array(window, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 40 }),
        (others, chosen, slope, level) => {
          fc.pre(new Set(others.map(({ value }) => value)).size > 1);
          const onLine = (rows: readonly PromptWindow[]) =>
            rows.map((before) => ({ before, after: { ...before, value: level + slope * before.value } }));
          close(estimate(onLine(chosen), onLine(others)).effect, 0);
        },
      ),
    ));

  it('has an interval around it that is wider for fewer prompts of the same kind', () =>
    fc.assert(
      fc.property(panel, ({ treated, controls }) => {
        const one = estimate(treated, controls);
        const twice = estimate([...treated, ...treated], controls);
        expect(twice.error).to.be.at.most(one.error + 1e-9);
        const [low, high] = effectInterval(one);
        close((low + high) / 2, one.effect);
      }),
    ));

  it('is not known of fewer than eight controls, and of no treated prompt', () =>
    fc.assert(
      fc.property(panel, ({ treated, controls }) => {
        expect(estimateEffect(treated, controls.slice(0, 7), SCALE)).to.equal(null);
        expect(estimateEffect([], controls, SCALE)).to.equal(null);
      }),
    ));

  it('needs more than a few mentions, where the controls never name the brand', () => {
    const never = { runs: 100, present: 0, value: 0 };
    const controls = Array.from({ length: 10 }, () => ({ before: never, after: never }));
    const rising = (present: number) => [{ before: never, after: { runs: 100, present, value: present } }];
    for (const [present, isClear] of [
      [1, false],
      [5, true],
    ] as const)
      expect(effectInterval(estimate(rising(present), controls))[0] > 0, `${present}`).to.equal(isClear);
  });

  it('has no slope and no slope’s error where all controls were alike', () => {
    const at = (value: number): PromptWindow => ({ runs: 30, present: 9, value });
    const controls = [10, 12, 14, 16, 18, 20, 22, 24].map((after) => ({
      before: at(0.1 + 0.2),
      after: at(after),
    }));
    const { effect, error } = estimate([{ before: at(90), after: at(27) }], controls);
    close(effect, 10);
    close(error, Math.sqrt((168 / 6) * (1 + 1 / 8)));
  });

  it('is seen in four of five cases from the sum of both quantiles on', () => {
    for (const freedom of [6, 18, 190]) {
      const found: EffectEstimate = { effect: 0, error: 2, freedom, predict: (value) => value };
      const missed = detectableEffect(found) / 2 - studentQuantile(freedom);
      expect(exceeds(freedom, missed)).to.be.closeTo(0.4, 1e-9);
    }
  });
});
