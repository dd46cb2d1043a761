import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startWorkers } from '../../../../src/server/run/workers/start-workers.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';

describe('workers', () => {
  it('one whose event loop hangs is ended and started again', async () => {
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'support/hanging-worker.mjs'), execArgv: [] });
    const { log, lines } = collectingLog();
    const logged = (msg: string) =>
      lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg) as {
        pid: number;
        worker: number;
      }[];
    const workers = startWorkers(2, 8080, log, { lookMs: 50, maxMissed: 40 });
    try {
      await workers.listening;
      const [first] = logged('worker started');
      Object.values(cluster.workers!)
        .find((worker) => worker!.process.pid === first!.pid)!
        .send('hang');
      while (!logged('worker hangs; it is ended').some(({ pid }) => pid === first!.pid)) await sleep(20);
      const again = () => logged('worker started').filter(({ worker }) => worker === first!.worker);
      while (again().length < 2) await sleep(20);
      expect(again()[1]!.pid).not.to.equal(first!.pid);
    } finally {
      await workers.stop(0);
    }
  });
});
