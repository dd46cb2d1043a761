import { appendFileSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Chunk, LogFile } from '../../../src/cli/ingest/input.js';
import {
  chunksOf,
  readingOf,
  StateFile,
  sizeOf,
  spooled,
  type Wanted,
} from '../../../src/cli/ingest/read-input.js';
import { FIRST_SECOND, logLine } from '../../sdk/support/ingest-server.js';
import { shippingSession } from '../support/shipping.js';

const log = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => logLine(FIRST_SECOND + from + at, `/p${from + at}`)).join('');

describe('the reading of an input', () => {
  const now = shippingSession();
  let warnings: string[];
  beforeEach(() => {
    warnings = [];
  });
  const wanted = (from: Wanted['from']): Wanted => ({
    follow: false,
    from,
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
    note: () => {},
  });
  const reading = (from: Wanted['from'], path = now.log()) =>
    readingOf(path, wanted(from), () => new StateFile(now.log('state.json')));

  /** The size that is computed before, and the bytes that are read. */
  async function sizes(from: Wanted['from']): Promise<(number | null)[]> {
    const plan = await reading(from);
    let bytes = 0;
    for await (const chunk of chunksOf(plan, wanted(from), 1)) bytes += chunk.bytes.length;
    return [await sizeOf([plan]), bytes];
  }

  it('has the computed size, from the beginning, the end, and the position of an earlier run', async () => {
    writeFileSync(now.log(), log(0, 100));
    await now.ingest(now.log(), '--state', now.log('state.json'));
    appendFileSync(now.log(), log(100, 130));
    const whole = log(0, 130).length;
    const rest = log(100, 130).length;
    expect(await sizes('beginning')).to.deep.equal([whole, whole]);
    expect(await sizes('last')).to.deep.equal([rest, rest]);
    expect(await sizes('end')).to.deep.equal([0, 0]);
  });

  it('has no known size if a file is compressed', async () => {
    writeFileSync(now.log('a.gz'), gzipSync(log(0, 10)));
    expect(await sizeOf([await reading(undefined, now.log('a.gz'))])).to.equal(null);
  });

  it('causes a warning if the file of the stored position no longer exists', async () => {
    writeFileSync(now.log(), log(0, 100));
    await now.ingest(now.log(), '--state', now.log('state.json'));
    writeFileSync(now.log(), log(500, 510));
    const { portions } = await reading('last');
    expect(portions).to.deep.equal([{ path: now.log(), start: 0 }]);
    const offset = log(0, 100).length.toLocaleString('en');
    expect(warnings).to.deep.equal([
      `${now.log()} was read up to byte ${offset} of a file that no longer exists. Lines after that position may be lost.`,
    ]);
  });
});

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
