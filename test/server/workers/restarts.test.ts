import { expect } from 'chai';
import { failuresAfter, pauseAfter } from '../../../src/server/workers/restarts.js';

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
