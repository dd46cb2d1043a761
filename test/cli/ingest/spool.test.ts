import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Chunk, LogFile } from '../../../src/cli/ingest/input.js';
import { spooled } from '../../../src/cli/ingest/read-input.js';

const logFile = new LogFile('log', { dev: 0, ino: 0 });
const chunk = (length: number, offset: number): Chunk => ({ logFile, bytes: new Uint8Array(length), offset });

/** A source of chunks with these lengths, which counts the chunks that were read. */
function source(lengths: readonly number[], failure?: Error) {
  const taken = { chunks: 0, bytes: 0, isLeft: false };
  async function* chunks(): AsyncGenerator<Chunk> {
    try {
      for (const length of lengths) {
        taken.chunks += 1;
        taken.bytes += length;
        yield chunk(length, taken.chunks);
      }
      if (failure) throw failure;
    } finally {
      taken.isLeft = true;
    }
  }
  return { taken, chunks: chunks() };
}

/** Runs all pending callbacks of the event loop. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await turn();
}

describe('the spool', () => {
  it('yields every chunk once, in order, and never holds more than its limit and one chunk', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        lengths,
        fc.integer({ min: 1, max: 500 }),
        fc.boolean(),
        async (sizes, limit, isSlow) => {
          const { taken, chunks } = source(sizes);
          const got: number[] = [];
          let bytes = 0;
          for await (const { offset, bytes: own } of spooled(chunks, { limit, onFull: () => {} })) {
            if (isSlow) await settled();
            expect(taken.bytes - bytes).to.be.below(limit + 200);
            got.push(offset);
            bytes += own.length;
          }
          expect(got).to.deep.equal(sizes.map((_, at) => at + 1));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reads ahead up to its limit without a consumer, and reports once that it is full', async () => {
    const { taken, chunks } = source(Array<number>(20).fill(10));
    let full = 0;
    const spool = spooled(chunks, { limit: 50, onFull: () => full++ });
    await spool.next();
    await settled();
    expect([taken.chunks, full]).to.deep.equal([6, 1]);
    await spool.next();
    await settled();
    expect([taken.chunks, full]).to.deep.equal([7, 1]);
    await spool.return(undefined);
    await settled();
    expect(taken.isLeft).to.equal(true);
  });

  it('yields the chunks before a failure first', async () => {
    const { chunks } = source([1, 1], new Error('the disk'));
    const spool = spooled(chunks, { limit: 50, onFull: () => {} });
    expect((await spool.next()).value?.offset).to.equal(1);
    await settled();
    expect((await spool.next()).value?.offset).to.equal(2);
    const failure = await spool.next().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).with.property('message', 'the disk');
  });
});
