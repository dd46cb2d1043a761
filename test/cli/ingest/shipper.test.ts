import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { withIdleTicks } from '../../../src/cli/ingest/shipper.js';

describe('items with idle ticks', () => {
  const { signal } = new AbortController();

  it('are the items of the source in order, with a tick for each time without one', async () => {
    let arrive = () => {};
    async function* source() {
      yield 'a';
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      yield 'b';
    }
    const seen: (string | undefined)[] = [];
    for await (const item of withIdleTicks(source(), 1, signal)) {
      seen.push(item);
      if (seen.filter((each) => each === undefined).length === 3) arrive();
    }
    expect(seen.filter((each) => each !== undefined)).to.deep.equal(['a', 'b']);
    expect(seen.indexOf(undefined)).to.equal(1);
  });

  it('reject like the source', async () => {
    // biome-ignore lint/correctness/useYield: the source fails before its first item
    async function* source(): AsyncGenerator<string> {
      throw new Error('cannot be read');
    }
    let failure: unknown;
    try {
      for await (const _ of withIdleTicks(source(), 1000, signal));
    } catch (error) {
      failure = error;
    }
    expect(failure).to.be.instanceOf(Error).with.property('message', 'cannot be read');
  });

  it('end as soon as the signal aborts, and end the source', async () => {
    const stop = new AbortController();
    let ended = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<string>>(() => {}),
        return: async () => {
          ended = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    let ticks = 0;
    for await (const _ of withIdleTicks(source, 1, stop.signal)) {
      ticks += 1;
      if (ticks === 2) stop.abort();
    }
    expect({ ticks, ended }).to.deep.equal({ ticks: 2, ended: true });
  });

  it('are not kept in memory after they were taken', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const items: WeakRef<Uint8Array>[] = [];
    async function* source() {
      for (let n = 0; n < 100; n++) {
        const item = new Uint8Array(1024);
        items.push(new WeakRef(item));
        yield item;
      }
    }
    let kept = 0;
    for await (const _ of withIdleTicks(source(), 1000, signal)) {
      if (items.length < 100) continue;
      // Weak references keep their object until the turn of the event loop ends.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      kept = items.filter((item) => item.deref() !== undefined).length;
    }
    expect(kept).to.be.at.most(5);
  });
});
