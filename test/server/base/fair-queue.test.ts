import { expect } from 'chai';
import fc from 'fast-check';
import { errors } from '../../../src/contract/errors.js';
import {
  type Audience,
  NEVER_GONE,
  SharedAudience,
  waitingAlone,
} from '../../../src/server/base/audience.js';
import { ClientGoneError, RefusedError } from '../../../src/server/base/errors.js';
import { createFairQueue, type FairQueueLimits, inTime } from '../../../src/server/base/fair-queue.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

const limitsOf = (total: number, changed: Partial<FairQueueLimits> = {}): FairQueueLimits => ({
  total,
  perKey: Math.max(1, total - 1),
  waiting: 1000,
  waitingPerKey: 1000,
  maxWaitMs: 20_000,
  busy: errors.serverBusy,
  ...changed,
});

/** Work that runs until the test ends it. */
function bench(total: number, changed?: Partial<FairQueueLimits>) {
  const turns = createFairQueue(limitsOf(total, changed));
  const running: { name: string; end: () => void }[] = [];
  const begun: string[] = [];
  const take = (keyId: string, name = keyId) => together(waitingAlone({ keyId, gone: NEVER_GONE }), name);
  const together = (audience: Audience, name: string) =>
    turns.run(audience, () => {
      begun.push(name);
      return new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) }));
    });
  const endFirst = async () => {
    running.shift()!.end();
    await nextTick();
  };
  return { take, together, running, begun, endFirst };
}

describe('turns', () => {
  it('never exceed the limits in total and per key, and everybody gets one', async () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), keys, async (total, wanted) => {
        const { take, running, begun, endFirst } = bench(total);
        const all = Promise.all(wanted.map((key) => take(key)));
        await nextTick();
        while (running.length > 0) {
          expect(running.length).to.be.at.most(total);
          for (const key of ['a', 'b', 'c']) {
            const own = running.filter(({ name }) => name === key).length;
            expect(own).to.be.at.most(Math.max(1, total - 1));
          }
          await endFirst();
        }
        expect([...begun].sort()).to.deep.equal([...wanted].sort());
        await all;
      }),
      { numRuns: 50 },
    );
  });

  it('alternate between keys: a key that waits for many does not delay the others', async () => {
    const { take, running, begun, endFirst } = bench(1);
    for (let i = 0; i < 5; i++) void take('many', `many ${i}`);
    void take('one', 'one');
    void take('other', 'other 0');
    void take('other', 'other 1');
    await nextTick();
    while (running.length > 0) await endFirst();
    expect(begun).to.deep.equal([
      'many 0',
      'one',
      'other 0',
      'many 1',
      'other 1',
      'many 2',
      'many 3',
      'many 4',
    ]);
  });

  it('leave one turn for other keys when a key has its maximum', async () => {
    const { take, running, begun, endFirst } = bench(3);
    for (let i = 0; i < 4; i++) void take('stuck');
    await nextTick();
    expect(begun).to.deep.equal(['stuck', 'stuck']);
    void take('free');
    await nextTick();
    expect(begun).to.deep.equal(['stuck', 'stuck', 'free']);
    while (running.length > 0) await endFirst();
  });

  it('are refused with 503 if they do not come in time, and are not used later', async () => {
    const { take, begun, endFirst } = bench(1, { maxWaitMs: 30 });
    const first = take('a', 'first');
    const late: unknown = await take('a', 'late').catch((error: unknown) => error);
    expect(late).to.be.instanceOf(RefusedError);
    expect((late as RefusedError).refusal).to.deep.include({ status: 503, headers: { 'Retry-After': '5' } });
    await endFirst();
    expect(await first).to.equal('first');
    expect(begun).to.deep.equal(['first']);
  });

  it('are freed by work that fails', async () => {
    const turns = createFairQueue(limitsOf(1));
    const a = waitingAlone({ keyId: 'a', gone: NEVER_GONE });
    const failed = await turns
      .run(a, () => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message);
    expect(failed).to.equal('no');
    expect(await turns.run(a, async () => 'yes')).to.equal('yes');
  });

  it('are refused at once beyond the number that may wait, of one key and of all', async () => {
    const { take, running, begun, endFirst } = bench(1, { waiting: 3, waitingPerKey: 2 });
    const statuses: string[] = [];
    const note = (name: string, work: Promise<string>) =>
      work.then(
        () => statuses.push(`${name} ran`),
        (error: RefusedError) => statuses.push(`${name} ${error.refusal.status}`),
      );
    const all = ['a 1', 'a 2', 'a 3', 'a 4', 'b 1', 'b 2'].map((name) => note(name, take(name[0]!, name)));
    await nextTick();
    expect(statuses).to.deep.equal(['a 4 503', 'b 2 503']);
    while (running.length > 0) await endFirst();
    await Promise.all(all);
    expect(begun).to.deep.equal(['a 1', 'b 1', 'a 2', 'a 3']);
  });

  it('are not kept from a key by keys with many: the latest wait of the one with most gives way', async () => {
    const { take, running, begun, endFirst } = bench(1, { waiting: 4, waitingPerKey: 3 });
    const refused: string[] = [];
    const names = ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'c 1', 'd 1', 'd 2'];
    const all = names.map((name) => take(name[0]!, name).catch(() => refused.push(name)));
    await nextTick();
    expect(refused).to.deep.equal(['a 3', 'b 2', 'd 2']);
    while (running.length > 0) await endFirst();
    await Promise.all(all);
    expect(begun).to.deep.equal(['a 1', 'b 1', 'c 1', 'd 1', 'a 2']);
  });

  it('are given up when the client leaves, and the work is never begun', async () => {
    const { take, together, begun, endFirst } = bench(1);
    const client = new AbortController();
    const first = take('a', 'first');
    const left = together(waitingAlone({ keyId: 'a', gone: client.signal }), 'left').catch((error) => error);
    const last = take('a', 'last');
    client.abort();
    expect(await left).to.be.instanceOf(ClientGoneError);
    expect(
      await together(waitingAlone({ keyId: 'b', gone: client.signal }), 'late').catch((error) => error),
    ).to.be.instanceOf(ClientGoneError);
    await endFirst();
    await first;
    await endFirst();
    await last;
    expect(begun).to.deep.equal(['first', 'last']);
  });

  it('are those of any key that waits for the work: one that joins does not wait behind the other', async () => {
    const { take, together, running, begun, endFirst } = bench(2);
    const shared = new SharedAudience();
    void take('many', 'many 0');
    void take('many', 'many 1');
    const never = new Promise<never>(() => undefined);
    void shared.join({ keyId: 'many', gone: NEVER_GONE }, never);
    void together(shared, 'shared');
    await nextTick();
    expect(begun).to.deep.equal(['many 0']);
    void shared.join({ keyId: 'one', gone: NEVER_GONE }, never);
    await nextTick();
    expect(begun).to.deep.equal(['many 0', 'shared']);
    while (running.length > 0) await endFirst();
    expect(begun).to.deep.equal(['many 0', 'shared', 'many 1']);
  });

  it('of a key go round its parts, and one part has at most half of them', async () => {
    const { take, running, begun, endFirst } = bench(5);
    for (let i = 0; i < 4; i++) void take('a/many', `many ${i}`);
    await nextTick();
    expect(begun).to.deep.equal(['many 0', 'many 1']);
    for (let i = 0; i < 3; i++) void take('a/other', `other ${i}`);
    void take('b');
    await nextTick();
    expect(begun.splice(0)).to.deep.equal(['many 0', 'many 1', 'other 0', 'other 1', 'b']);
    while (running.length > 0) await endFirst();
    expect(begun).to.deep.equal(['many 2', 'many 3', 'other 2']);
  });

  it('go round the keys, however many parts one has', async () => {
    const { take, running, begun, endFirst } = bench(1);
    for (const part of ['x', 'y', 'z']) for (let i = 0; i < 2; i++) void take(`a/${part}`, `${part} ${i}`);
    for (let i = 0; i < 2; i++) void take('b', `b ${i}`);
    while (running.length > 0) await endFirst();
    await nextTick();
    while (running.length > 0) await endFirst();
    expect(begun).to.deep.equal(['x 0', 'b 0', 'y 0', 'b 1', 'z 0', 'x 1', 'y 1', 'z 1']);
  });

  it('are not kept from a part by another with many waits, of its key or of all', async () => {
    for (const limits of [{ waitingPerKey: 3 }, { waiting: 3 }]) {
      const { take, running, begun, endFirst } = bench(1, limits);
      const refused: string[] = [];
      const names = ['a/x 1', 'a/x 2', 'a/x 3', 'a/x 4', 'a/y 1', 'a/y 2', 'a/y 3'];
      const all = names.map((name) => take(name.slice(0, 3), name).catch(() => refused.push(name)));
      await nextTick();
      expect(refused).to.deep.equal(['a/x 4', 'a/y 2', 'a/y 3']);
      while (running.length > 0) await endFirst();
      await Promise.all(all);
      expect(begun).to.include('a/y 1');
    }
  });
});

describe('work in time', () => {
  const whenGone = (until: AbortSignal) =>
    new Promise<never>((_, reject) =>
      until.addEventListener('abort', () => reject(new ClientGoneError()), { once: true }),
    );
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

  it('is its result, and its own failure', async () => {
    expect(await inTime(NEVER_GONE, async () => 'done')).to.equal('done');
    const failure = new Error('no');
    expect(await failureOf(inTime(NEVER_GONE, () => Promise.reject(failure)))).to.equal(failure);
  });

  it('is 503 with Retry-After when it takes longer, and ends then', async () => {
    const late = await failureOf(inTime(NEVER_GONE, whenGone, 10));
    expect((late as RefusedError).refusal).to.deep.include({ status: 503, headers: { 'Retry-After': '5' } });
  });

  it('ends without a refusal when its client leaves', async () => {
    const client = new AbortController();
    const left = failureOf(inTime(client.signal, whenGone));
    client.abort();
    expect(await left).to.be.instanceOf(ClientGoneError);
    expect(await inTime(client.signal, async (until) => until.aborted)).to.equal(true);
  });
});
