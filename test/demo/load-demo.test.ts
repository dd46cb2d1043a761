import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoBrandId } from '../../src/demo/data/index.js';
import { demoDay, loadDemo } from '../../src/demo/load-demo.js';
import { BATCH_RECORDS } from '../../src/server/intake/dataset/import.js';
import { type TestServer, testServer } from '../support/server.js';
import { shortDataset } from './data/dataset-of.js';

/** Progress is reported after each full batch. */
function* dataset(now: Date) {
  const records = [...shortDataset(now)];
  for (let at = 0; at < BATCH_RECORDS; at++) yield records[0]!;
  yield* records;
}

describe('the load of the demo data', () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    server = await testServer();
    folder = mkdtempSync(join(tmpdir(), 'svc-demo-load-'));
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const load = async (now: string): Promise<number> => {
    let progress = 0;
    server.now = new Date(now);
    const onProgress = (records: number) => {
      progress = records;
    };
    await loadDemo(server.database.knex, folder, server.now, onProgress, dataset);
    return progress;
  };
  const newestDay = async (): Promise<string> => {
    server.pass();
    const { answers } = await server.read<{ answers: { date: string }[] }>(
      `/api/v1/answers?brand=${demoBrandId}`,
    );
    return answers[0]!.date;
  };

  it('includes today, and is not repeated on the same day', async () => {
    expect(await load('2026-11-20T10:00:00Z')).to.be.above(0);
    expect([await newestDay(), await demoDay(folder)]).to.deep.equal(['2026-11-20', '2026-11-20']);
    expect(await load('2026-11-20T22:00:00Z')).to.equal(0);
  });

  it('is repeated by a start on a later UTC day', async () => {
    expect(await load('2026-11-22T00:30:00Z')).to.be.above(0);
    expect([await newestDay(), await demoDay(folder)]).to.deep.equal(['2026-11-22', '2026-11-22']);
  });
});
