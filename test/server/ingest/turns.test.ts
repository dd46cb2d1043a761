import { expect } from 'chai';
import fc from 'fast-check';
import { RefusedError } from '../../../src/server/errors.js';
import { createTurns } from '../../../src/server/ingest/turns.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until the test ends it. */
function bench(total: number, longestWaitMs?: number) {
  const turns = createTurns(total, longestWaitMs);
  const running: { name: string; end: () => void }[] = [];
  const begun: string[] = [];
  const take = (keyId: string, name = keyId) =>
    turns.take(keyId, () => {
      begun.push(name);
      return new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) }));
    });
  const endFirst = async () => {
    running.shift()!.end();
    await nextTick();
  };
  return { take, running, begun, endFirst };
}

describe('the turns for storing bodies', () => {
  it('never exceed the limits in total and per key, and every body gets one', async () => {
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

  it('alternate between keys: a key with many bodies does not delay the others', async () => {
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
    // Bodies that wait are refused later, when another test runs.
    while (running.length > 0) await endFirst();
  });

  it('are refused with 503 if they do not come in time, and are not used later', async () => {
    const { take, begun, endFirst } = bench(1, 30);
    const first = take('a', 'first');
    const late: unknown = await take('a', 'late').catch((error: unknown) => error);
    expect(late).to.be.instanceOf(RefusedError);
    expect((late as RefusedError).refusal).to.deep.include({ status: 503, headers: { 'Retry-After': '5' } });
    await endFirst();
    expect(await first).to.equal('first');
    expect(begun).to.deep.equal(['first']);
  });

  it('are freed by work that fails', async () => {
    const turns = createTurns(1);
    const failed = await turns
      .take('a', () => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message);
    expect(failed).to.equal('no');
    expect(await turns.take('a', async () => 'yes')).to.equal('yes');
  });
});
