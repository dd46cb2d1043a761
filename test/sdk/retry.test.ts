import { expect } from 'chai';
import fc from 'fast-check';
import { ConnectionError, errorOfStatus } from '../../src/sdk/errors.js';
import { mayRetry, waitBefore } from '../../src/sdk/transport.js';

const failed = (status: number, retryAfterSeconds: number | null = null) =>
  errorOfStatus(status, '', { retryAfterSeconds });

describe('the rules for retries', () => {
  it('never shorten a stated wait, and extend it by at most a quarter', () => {
    const statuses = fc.constantFrom(429, 503);
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (status, after, attempt) => {
          expect(waitBefore(failed(status, after), attempt)).to.be.within(after * 1000, after * 1250);
        },
      ),
    );
  });

  it('vary the waits, so that calls that were refused together do not retry together', () => {
    const waits = new Set(Array.from({ length: 50 }, () => waitBefore(failed(429, 1), 1)));
    expect(waits.size).to.be.above(40);
  });

  it('double the wait from half a second with each failure if none is stated', () => {
    expect(waitBefore(failed(500), 1)).to.be.within(500, 625);
    expect(waitBefore(failed(500), 2)).to.be.within(1000, 1250);
    expect(waitBefore(new ConnectionError(''), 1)).to.be.within(500, 625);
  });

  it('retry a request that must arrive once only after refusals, and log shipping also after failures', () => {
    const allowed = (status: number, resends: number) =>
      [1, 2, 3, 4, 5].filter((attempt) => mayRetry(failed(status), attempt, 4, resends)).length;
    expect([allowed(429, 0), allowed(503, 0), allowed(503, Number.POSITIVE_INFINITY)]).to.deep.equal([
      4, 0, 4,
    ]);
  });

  it('allow maxRetries retries after refusals, and two after failures', () => {
    const allowed = (status: number, maxRetries: number) =>
      [1, 2, 3, 4, 5].filter((attempt) => mayRetry(failed(status), attempt, maxRetries)).length;
    expect([allowed(429, 4), allowed(503, 4), allowed(503, 1), allowed(429, 0)]).to.deep.equal([4, 2, 1, 0]);
  });
});
