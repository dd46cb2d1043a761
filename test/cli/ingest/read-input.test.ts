import { appendFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { chunksOf, readingOf, StateFile, sizeOf, type Wanted } from '../../../src/cli/ingest/read-input.js';
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
