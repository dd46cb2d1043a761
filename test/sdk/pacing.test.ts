import { expect } from 'chai';
import { SvcClient } from '../../src/sdk/index.js';
import { fastClock } from './support/clocks.js';
import { KEY } from './support/server.js';
import { withServer } from './support/setup.js';

const SPEED = 60;
const CALLS = 300;
/** 120 calls at once, the others at two per second. */
const FLOOR_SECONDS = (CALLS - 120) / 2;

/** A burst may take long on a busy machine. */
const patient = { timeout: 10_000_000 };

const start = (svc: SvcClient, count = CALLS) =>
  Promise.all(Array.from({ length: count }, (_, index) => svc.overview({ brand: `b-${index}` })));

describe('pacing', () => {
  it('lets 300 concurrent calls of the only user of a key succeed without a 429', async () => {
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

  it('shares a bucket between clients with the same key', async () => {
    await withServer({ speed: SPEED }, async (_, server) => {
      const options = { baseUrl: server.url, apiKey: KEY, clock: fastClock(SPEED) };
      await Promise.all([start(new SvcClient(options), 100), start(new SvcClient(options), 100)]);
      expect(server.bucket.refused).to.equal(0);
    });
  });

  it('lets two processes on one key finish in spite of refusals', async () => {
    // Slow enough that few tokens return while a busy machine sends the first burst.
    const speed = 10;
    await withServer({ speed, tokens: 10 }, async (_, server) => {
      // Clients with the same clock share buckets, so another clock simulates another process.
      const client = () =>
        new SvcClient({ baseUrl: server.url, apiKey: KEY, clock: fastClock(speed), ...patient });
      const done = await Promise.all([start(client(), 40), start(client(), 40)]);
      expect(done.flat()).to.have.length(80);
      expect(server.bucket.refused).to.be.above(0);
      expect(server.requests).to.have.length(80 + server.bucket.refused);
    });
  });

  it('lets a client finish that starts with a bucket that others emptied', async () => {
    await withServer({ speed: SPEED, tokens: 5 }, async (svc, server) => {
      expect(await start(svc, 60)).to.have.length(60);
      // The first burst shows how many tokens are left; after it there are few refusals.
      expect(server.bucket.refused).to.be.at.most(60);
    });
  });

  it('does not delay sequential calls while there are tokens', async () => {
    await withServer({}, async (svc) => {
      await svc.overview();
      const started = performance.now();
      for (let call = 0; call < 50; call++) await svc.overview();
      // At two per second the calls take 25 seconds.
      expect(performance.now() - started).to.be.below(20_000);
    });
  });
});
