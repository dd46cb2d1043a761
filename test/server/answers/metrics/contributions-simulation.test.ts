/** False discoveries among the parts of a change, and the falls that are found, on panels that are drawn. */
import { expect } from 'chai';
import { relatedWithin } from '../../../../src/contract/enough-days.js';
import type { Sums } from '../../../../src/contract/measures.js';
import { randomOf } from '../../../../src/demo/data/random.js';
import { contributionsOf } from '../../../../src/server/answers/metrics/contributions.js';
import { NO_RUNS, NO_SUMS, type Sample } from '../../../../src/server/answers/metrics/samples.js';
import { isMoved, sampleOf } from './support/contributed.js';

describe('verdicts among many cells, simulated', () => {
  interface Panel {
    readonly prompts: number;
    readonly days: number;
    readonly shock: number;
  }
  const ENGINES = 8;
  const FALLING = 4;

  /** Draws windows before and after a few prompts fell from 50 % to 20 %: wrong among all verdicts, and falls that are found. */
  function simulated({ prompts, days, shock }: Panel, draws: number) {
    const { next } = randomOf(`why ${prompts} ${days} ${shock}`);
    const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    let [wrongShare, found] = [0, 0];
    for (let draw = 0; draw < draws; draw += 1) {
      const odds = Array.from({ length: prompts }, (_, at) => (at < FALLING ? 0 : 1.2 * normal()));
      const windowOf = (fall: number): Sample[] => {
        const cells = odds.map(() => [] as Sums[]);
        for (let day = 0; day < days; day += 1) {
          const today = shock * normal();
          for (const [at, each] of odds.entries()) {
            const limit = 1 / (1 + Math.exp(-(each + today + (at < FALLING ? fall : 0))));
            let present = 0;
            for (let engine = 0; engine < ENGINES; engine += 1) present += Number(next() < limit);
            cells[at]!.push({ totals: { ...NO_RUNS, runs: ENGINES }, entity: { ...NO_SUMS, present } });
          }
        }
        return cells.map((each) => sampleOf(each, true, relatedWithin(days)));
      };
      const [before, after] = [windowOf(0), windowOf(Math.log(0.2 / 0.8))];
      const whole = {
        before: sampleOf(before.flatMap((sample) => sample.days)),
        after: sampleOf(after.flatMap((sample) => sample.days)),
      };
      const cells = before.map((each, at) => ({ before: each, after: after[at]! }));
      const moved = contributionsOf('presence_rate', whole, cells, true)!.map((each) => isMoved(each!));
      const [right, all] = [moved.slice(0, FALLING), moved].map((some) => some.filter(Boolean).length);
      wrongShare += all === 0 ? 0 : (all! - right!) / all! / draws;
      found += right! / FALLING / draws;
    }
    return { wrongShare, found };
  }

  for (const prompts of [30, 200])
    for (const shock of [0, 0.3])
      it(`false discoveries are at most 13 %, and falls are found: ${prompts} prompts, shocks ${shock}`, () => {
        const week = simulated({ prompts, days: 7, shock }, prompts === 30 ? 200 : 100);
        const month = simulated({ prompts, days: 28, shock }, prompts === 30 ? 200 : 100);
        expect(week.wrongShare, 'wrong in a week').to.be.at.most(0.13);
        expect(month.wrongShare, 'wrong in a month').to.be.at.most(0.13);
        expect(week.found, 'found in a week').to.be.within(0.2, 0.7);
        expect(month.found, 'found in a month').to.be.at.least(prompts === 30 ? 0.95 : 0.75);
      });
});
