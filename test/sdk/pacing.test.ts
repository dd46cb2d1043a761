import { expect } from 'chai';
import { SvcClient } from '../../src/sdk/index.js';
import { fastClock } from './support/clocks.js';
import { KEY } from './support/server.js';
import { withServer } from './support/setup.js';

const SPEED = 60;
const CALLS = 300;
/** 120 at once, the rest at two a second. */
const FLOOR_SECONDS = (CALLS - 120) / 2;

/** A busy machine may take long for a burst. */
const patient = { timeout: 10_000_000 };

const start = (svc: SvcClient, count = CALLS) =>
  Promise.all(Array.from({ length: count }, (_, index) => svc.overview({ brand: `b-${index}` })));

describe('pacing', () => {
  it('300 calls at once on a key of one’s own all succeed without a single 429', async () => {
    await withServer({ speed: SPEED, client: patient }, async (svc, server) => {
      const started = performance.now();
      const answers = await start(svc);
      const seconds = ((performance.now() - started) / 1000) * SPEED;
      expect(answers).to.have.length(CALLS);
      expect(server.bucket.refused).to.equal(0);
      expect(server.requests).to.have.length(CALLS);
      expect(seconds).to.be.at.least(FLOOR_SECONDS);
    });
  });

  it('clients with one key share its bucket', async () => {
    await withServer({ speed: SPEED }, async (_, server) => {
      const options = { baseUrl: server.url, apiKey: KEY, clock: fastClock(SPEED) };
      await Promise.all([start(new SvcClient(options), 100), start(new SvcClient(options), 100)]);
      expect(server.bucket.refused).to.equal(0);
    });
  });

  it('two processes on one key both finish, absorbing what is refused', async () => {
    // Slow enough that tokens come back slowly even while a busy machine sends the first burst.
    const speed = 10;
    await withServer({ speed, tokens: 10 }, async (_, server) => {
      // Buckets are shared by clients of one clock; another clock stands for another process.
      const client = () =>
        new SvcClient({ baseUrl: server.url, apiKey: KEY, clock: fastClock(speed), ...patient });
      const done = await Promise.all([start(client(), 40), start(client(), 40)]);
      expect(done.flat()).to.have.length(80);
      expect(server.bucket.refused).to.be.above(0);
      expect(server.requests).to.have.length(80 + server.bucket.refused);
    });
  });

  it('a client that starts on a bucket that others emptied finishes', async () => {
    await withServer({ speed: SPEED, tokens: 5 }, async (svc, server) => {
      expect(await start(svc, 60)).to.have.length(60);
      // One burst finds out how much is left; after it hardly anything is refused.
      expect(server.bucket.refused).to.be.at.most(60);
    });
  });

  it('one call after another is not slowed while there are tokens', async () => {
    await withServer({}, async (svc) => {
      await svc.overview();
      const started = performance.now();
      for (let call = 0; call < 50; call++) await svc.overview();
      // At two a second they would take 25 seconds.
      expect(performance.now() - started).to.be.below(20_000);
    });
  });
});
