import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { CitedPages } from '../../../../src/server/intake/dataset/cited-urls.js';
import { BATCH_RECORDS, RecordBuffer } from '../../../../src/server/intake/dataset/import.js';
import type { Run } from '../../../../src/server/intake/dataset/records/run.js';
import type { ImportSession } from '../../../../src/server/intake/dataset/session.js';
import { runOf } from './support/load.js';

describe('dataset: the buffer of records', () => {
  const buffer = () => new RecordBuffer({ pages: new CitedPages() } as unknown as ImportSession);
  const record = (fields: object = {}) => runOf('r', fields) as unknown as Run;

  it('does not keep the objects of a run until its batch is written', async () => {
    const waiting = buffer();
    const run = () => {
      const mentions = [{ name: 'Acme', order: 1 }];
      waiting.add(1, record({ mentions, citations: [{ url: 'https://x.example/', title: 'X' }] }));
      return new WeakRef(mentions);
    };
    const kept = run();
    // A weak reference holds its object until the turn ends.
    await new Promise(setImmediate);
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(kept.deref()).to.equal(undefined);
    expect(waiting.total).to.equal(1);
  });

  it('says when a batch is full, and only then', () => {
    const waiting = buffer();
    const full = Array.from({ length: BATCH_RECORDS }, (_, at) => waiting.add(at + 1, record()));
    expect(full.indexOf(true)).to.equal(BATCH_RECORDS - 1);
    expect(waiting.counts).to.deep.equal({ run: BATCH_RECORDS });
  });
});
