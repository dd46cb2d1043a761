import { expect } from 'chai';
import fc from 'fast-check';
import { headers } from '../../src/contract/versions.js';
import { SvcClient } from '../../src/sdk/index.js';
import { TokenBucket } from '../../src/sdk/pacing.js';
import type { RateLimit } from '../../src/sdk/response.js';
import { fastClock, VirtualClock } from './support/clocks.js';
import { KEY } from './support/server.js';
import { ServerBucket } from './support/server-bucket.js';
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

const never = new AbortController().signal;

/** The client’s and the server’s bucket of a key, and a network that delays each request and each response. */
class Network {
  readonly clock = new VirtualClock();
  readonly server: ServerBucket;
  finishedAt = 0;

  constructor(tokens?: number) {
    this.server = new ServerBucket(this.clock.now, tokens);
  }

  readonly #delay = (ms: number) => new Promise<void>((resolve) => this.clock.after(ms, resolve));

  /** Sends a request until it is granted, and returns the number of refusals. */
  async request(bucket: TokenBucket, there: number, back: number): Promise<number> {
    for (let refusals = 0; ; refusals++) {
      const ticket = await bucket.take(never, refusals > 0);
      await this.#delay(there);
      const { allowed, headers: stated } = this.server.take();
      await this.#delay(back);
      if (allowed) {
        bucket.spend(ticket, rateLimitOf(stated));
        this.finishedAt = this.clock.now();
        return refusals;
      }
      bucket.refuse(ticket, Number(stated[headers.retryAfter]) * 1000);
    }
  }
}

const rateLimitOf = (stated: Record<string, string>): RateLimit => ({
  limit: Number(stated[headers.rateLimit]),
  remaining: Number(stated[headers.rateRemaining]),
  reset: Number(stated[headers.rateReset]),
});

const latency = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 }));

describe('the token bucket of the client', () => {
  it('never gets a 429 as the only user of a key with any network delay, and loses at most one delay', async () => {
    // Random delays, and the worst case: a first burst that arrives late, and later requests that arrive at once.
    const mixed = fc.array(latency, { minLength: 121, maxLength: 240 });
    const lateBurst = fc
      .tuple(latency, latency)
      .map(([first, rest]) => Array.from({ length: 200 }, (_, index) => (index < 119 ? first : rest)));
    const latencies = fc.oneof(mixed, lateBurst);
    await fc.assert(
      fc.asyncProperty(latencies, async (delays) => {
        const network = new Network();
        const bucket = new TokenBucket(network.clock);
        const all = Promise.all(delays.map(([there, back]) => network.request(bucket, there, back)));
        await network.clock.run();
        await all;
        expect(network.server.refused).to.equal(0);
        const floor = (delays.length - 120) * 500;
        // The reserved token, and the delays of the first burst and of the last request.
        expect(network.finishedAt).to.be.within(floor, floor + 500 + 2 * 1800 + 100);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('never gets a 429 as the only user of a key, with calls at any times', async () => {
    const starts = fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), latency), { maxLength: 250 });
    await fc.assert(
      fc.asyncProperty(starts, async (calls) => {
        const network = new Network();
        const bucket = new TokenBucket(network.clock);
        let open = calls.length;
        for (const [at, [there, back]] of calls) {
          network.clock.after(at, () => void network.request(bucket, there, back).then(() => open--));
        }
        await network.clock.run();
        expect({ open, refused: network.server.refused }).to.deep.equal({ open: 0, refused: 0 });
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('learns from one response how many tokens others left', async () => {
    const network = new Network(30);
    const bucket = new TokenBucket(network.clock);
    const done: Promise<number>[] = [network.request(bucket, 10, 10)];
    await network.clock.run(100);
    for (let call = 0; call < 60; call++) done.push(network.request(bucket, 10, 10));
    await network.clock.run();
    await Promise.all(done);
    expect(network.server.refused).to.be.at.most(1);
  });

  it('lets several processes on one key finish close to the limit, with at most 8 refusals per call', async () => {
    const spread = fc.array(latency, { minLength: 300, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 4 }), spread, async (processes, delays) => {
        const network = new Network();
        const buckets = Array.from({ length: processes }, () => new TokenBucket(network.clock));
        const calls = delays.map(([there, back], index) =>
          network.request(buckets[index % processes]!, there / 10, back / 10),
        );
        await network.clock.run();
        const refusals = await Promise.all(calls);
        expect(Math.max(...refusals)).to.be.at.most(8);
        expect(network.finishedAt).to.be.within(90_000, 90_000 * 1.5);
      }),
      // Refusals are random and more than 8 are rare but possible, so the seed is fixed.
      { numRuns: 10, seed: 1, endOnFailure: true },
    );
  });

  it('leaves a token for other processes, so that a caller at full speed does not block them', async () => {
    const network = new Network();
    const busy = new TokenBucket(network.clock);
    const calls = Array.from({ length: 300 }, () => network.request(busy, 5, 5));
    const others: Promise<number>[] = [];
    for (let at = 10_000; at < 80_000; at += 3130) {
      await network.clock.run(at);
      others.push(network.request(new TokenBucket(network.clock), 5, 5));
    }
    await network.clock.run();
    expect(await Promise.all(others)).to.deep.equal(others.map(() => 0));
    await Promise.all(calls);
  });

  it('uses the limit in the headers', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock);
    bucket.spend(await bucket.take(never), { limit: 60, remaining: 0, reset: 0 });
    const granted: number[] = [];
    for (let call = 0; call < 3; call++) {
      void bucket.take(never).then((ticket) => {
        granted.push(clock.now());
        bucket.spend(ticket, null);
      });
    }
    await clock.run();
    const gaps = granted.slice(1).map((at, index) => Math.round(at - granted[index]!));
    for (const gap of gaps) expect(gap).to.be.within(1000, 1020);
    expect(gaps).to.have.length(2);
  });

  it('serves calls in order, refused ones before new ones', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock);
    const held = await Promise.all(Array.from({ length: 119 }, () => bucket.take(never)));
    const order: string[] = [];
    const enter = (name: string, again: boolean) =>
      bucket.take(never, again).then((ticket) => {
        order.push(name);
        bucket.spend(ticket, null);
      });
    const calls = [
      enter('new 1', false),
      enter('again 1', true),
      enter('new 2', false),
      enter('again 2', true),
    ];
    for (const ticket of held) bucket.spend(ticket, null);
    await clock.run();
    await Promise.all(calls);
    expect(order).to.deep.equal(['again 1', 'again 2', 'new 1', 'new 2']);
  });

  it('skips a call that was aborted', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock);
    const held = await Promise.all(Array.from({ length: 119 }, () => bucket.take(never)));
    const controller = new AbortController();
    const aborted = bucket.take(controller.signal).catch((reason: unknown) => reason);
    const next = bucket.take(never);
    controller.abort('gone');
    for (const ticket of held) bucket.spend(ticket, null);
    await clock.run();
    expect(await aborted).to.equal('gone');
    expect((await next).answeredBefore).to.equal(119);
  });
});
