import { expect } from 'chai';
import { createLog } from '../../../src/server/log.js';
import { monitorProcess, startAdminServer } from '../../../src/server/monitoring/metrics.js';
import { startNightly } from '../../../src/server/nightly.js';
import { collectingLog } from '../../rules/support/collecting-log.js';
import { emptyDatabase } from '../../support/database.js';

const ADDRESS = { port: 0, host: '127.0.0.1' };

describe('the port of the metrics', () => {
  it('serves /metrics and nothing else, by GET and HEAD', async () => {
    const { admin } = await monitorProcess(ADDRESS, createLog('silent'));
    const response = await fetch(admin.url);
    expect([response.status, response.headers.get('Content-Type')]).to.deep.equal([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await response.text()).to.contain('svc_build_info');
    const statusOf = async (path: string, method: string) =>
      (await fetch(new URL(path, admin.url), { method })).status;
    expect(await statusOf('/metrics?a=b', 'HEAD')).to.equal(200);
    expect(await statusOf('/metrics', 'POST')).to.equal(405);
    expect(await statusOf('/api/v1/brands', 'GET')).to.equal(404);
    await admin.close();
  });

  it('is reported by its own variable if it is in use', async () => {
    const text = async () => '';
    const first = await startAdminServer(ADDRESS, text, createLog('silent'));
    const port = Number(new URL(first.url).port);
    const failure = await startAdminServer({ ...ADDRESS, port }, text, createLog('silent')).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.equal(`Port ${port} is in use. Choose another with ADMIN_PORT.`);
    await first.close();
  });

  it('responds 503 while the metrics cannot be collected, and logs why', async () => {
    const { log, lines } = collectingLog();
    const admin = await startAdminServer(ADDRESS, () => Promise.reject(new Error('a worker hangs')), log);
    expect((await fetch(admin.url)).status).to.equal(503);
    expect(lines.join('')).to.contain('a worker hangs');
    await admin.close();
  });

  it('shows when each nightly task ran, and that one failed', async () => {
    const { admin, nightly } = await monitorProcess(ADDRESS, createLog('silent'));
    const database = await emptyDatabase();
    const work = startNightly(database.knex, createLog('silent'), undefined, undefined, 7, nightly);
    await work.stop();
    const broken = { raw: () => Promise.reject(new Error('gone')) } as never;
    await startNightly(broken, createLog('silent'), undefined, undefined, 7, nightly).stop();
    const text = await (await fetch(admin.url)).text();
    for (const task of ['daily_stats', 'crawler_retention']) {
      expect(text).to.match(new RegExp(`^svc_nightly_duration_seconds\\{task="${task}"\\} [\\d.e-]+$`, 'm'));
      expect(text).to.match(
        new RegExp(`^svc_nightly_last_success_timestamp_seconds\\{task="${task}"\\} `, 'm'),
      );
      expect(text).to.match(new RegExp(`^svc_nightly_failures_total\\{task="${task}"\\} 1$`, 'm'));
    }
    await admin.close();
    await database.close();
  });
});
