import { expect } from 'chai';
import fc from 'fast-check';
import { failuresAfter, pauseAfter, Watchdog } from '../../../../src/server/run/workers/start-workers.js';

const TIMES = { lookMs: 5000, maxMissed: 12 };

/** A watchdog with a clock that every look advances. */
function watched() {
  const watchdog = new Watchdog(TIMES);
  let now = 0;
  return {
    watchdog,
    look: (afterMs = TIMES.lookMs) => {
      now += afterMs;
      return watchdog.look(now);
    },
  };
}

describe('the watchdog of workers', () => {
  it('reports a worker that gave no sign of life for a minute, and no other', () => {
    const { watchdog, look } = watched();
    watchdog.sign(1);
    watchdog.sign(2);
    for (let looks = 1; looks <= TIMES.maxMissed; looks++) {
      watchdog.sign(2);
      expect(look(), `look ${looks}`).to.deep.equal([]);
    }
    expect(look()).to.deep.equal([1]);
    watchdog.forget(1);
    expect(look()).to.deep.equal([]);
  });

  it('does not watch a worker before its first sign, or after it ended', () => {
    const { watchdog, look } = watched();
    watchdog.sign(1);
    watchdog.forget(1);
    for (let looks = 0; looks < 100; looks++) expect(look()).to.deep.equal([]);
  });

  it('reports none after any sleep of the machine, however often, while signs arrive in between', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1e9 }), { maxLength: 200 }), (pauses) => {
        const { watchdog, look } = watched();
        watchdog.sign(1);
        for (const [at, pause] of pauses.entries()) {
          if (at % 10 === 0) watchdog.sign(1);
          expect(look(pause)).to.deep.equal([]);
        }
      }),
    );
  });

  it('does not count looks that are late, because the machine is busy then', () => {
    const { watchdog, look } = watched();
    watchdog.sign(1);
    for (let looks = 0; looks < 100; looks++) {
      const hanging = look(3 * TIMES.lookMs);
      // The first look has none before it.
      expect(hanging, `look ${looks}`).to.deep.equal([]);
    }
    for (let looks = 0; looks < TIMES.maxMissed - 1; looks++) expect(look()).to.deep.equal([]);
    expect(look()).to.deep.equal([1]);
  });
});

describe('restarts of workers', () => {
  it('a worker that keeps ending is started again after pauses that double up to 30 s', () => {
    const pauses: number[] = [];
    let failures = 0;
    for (let ends = 0; ends < 12; ends++) {
      failures = failuresAfter(failures, 0);
      pauses.push(pauseAfter(failures));
    }
    expect(pauses.slice(0, 4)).to.deep.equal([100, 200, 400, 800]);
    expect(pauses.slice(-2)).to.deep.equal([30_000, 30_000]);
  });

  it('a worker that ran for a minute is started again without a long pause', () => {
    expect(pauseAfter(failuresAfter(20, 60_000))).to.equal(100);
  });
});
