import { expect } from 'chai';
import fc from 'fast-check';
import { limitConcurrency } from '../../../src/server/limits/fair-queue.js';

describe('work in turns', () => {
  it('runs all of it, never more at once, in the order of the calls, whatever fails', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ ticks: fc.nat(4), fails: fc.boolean() }), { maxLength: 12 }),
        async (atOnce, works) => {
          const limited = limitConcurrency(atOnce);
          const begun: number[] = [];
          let running = 0;
          const all = works.map(({ ticks, fails }, at) =>
            limited(async () => {
              begun.push(at);
              running++;
              expect(running).to.be.at.most(atOnce);
              for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
              running--;
              if (fails) throw new Error(String(at));
              return at;
            }),
          );
          const ended = await Promise.allSettled(all);
          expect(begun).to.deep.equal(works.map((_, at) => at));
          expect(ended.map(({ status }) => status === 'rejected')).to.deep.equal(
            works.map(({ fails }) => fails),
          );
        },
      ),
    ));
});
