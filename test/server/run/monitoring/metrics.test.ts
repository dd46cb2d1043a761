import { expect } from 'chai';
import { createLog } from '../../../../src/server/base/log.js';
import {
  monitorProcess,
  serverMetrics,
  startAdminServer,
} from '../../../../src/server/run/monitoring/metrics.js';
import { startNightly } from '../../../../src/server/run/nightly.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { emptyDatabase } from '../../../support/database.js';

const LINE =
  '192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"\n';

describe('the metrics of a server', () => {
  const metrics = serverMetrics();
  const server = ruleServer({ metrics, clock: 'refill' });

  /** The value of a series; undefined: it does not exist. */
  async function sample(series: string): Promise<number | undefined> {
    // The end of a response is counted after the client has its last byte.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const line = (await metrics.registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  }
  const requests = (method: string, route: string, status: string) =>
    sample(`svc_http_requests_total{method="${method}",route="${route}",status="${status}"}`);

  it('count requests by method, route and status, and their duration', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    for (let sent = 0; sent < 3; sent++) await server.request('/api/v1/overview', key);
    await server.request('/api/v1/overview?brand=nobody', key);
    await server.request('/api/v1/overview', null);
    expect(await requests('GET', '/api/v1/overview', '200')).to.equal(3);
    expect(await requests('GET', '/api/v1/overview', '404')).to.equal(1);
    expect(await requests('GET', '/api/v1/overview', '401')).to.equal(1);
    const durations = 'svc_http_request_duration_seconds';
    const labels = 'method="GET",route="/api/v1/overview"';
    expect(await sample(`${durations}_count{${labels}}`)).to.equal(5);
    expect(await sample(`${durations}_bucket{le="+Inf",${labels}}`)).to.equal(5);
    expect(await sample(`${durations}_sum{${labels}}`)).to.be.greaterThan(0);
  });

  it('count what the cache had, and what was computed', async () => {
    const before = (await sample('svc_read_cache_requests_total{result="hit"}'))!;
    const computed = (await sample('svc_read_cache_requests_total{result="miss"}'))!;
    for (let sent = 0; sent < 3; sent++) await server.request('/api/v1/prompts');
    expect(await sample('svc_read_cache_requests_total{result="hit"}')).to.equal(before + 2);
    expect(await sample('svc_read_cache_requests_total{result="miss"}')).to.equal(computed + 1);
  });

  it('count refusals by the rate limit', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    for (let sent = 0; sent < 122; sent++) await server.request('/api/v1/brands', key);
    expect(await sample('svc_rate_limit_refusals_total{surface="reads"}')).to.equal(2);
    expect(await requests('GET', '/api/v1/brands', '429')).to.equal(2);
  });

  it('count lines of logs and hits in them', async () => {
    const body = `${LINE}${LINE}nonsense\n`;
    for (let sent = 0; sent < 2; sent++) {
      const path = '/api/v1/crawler-events?brand=first';
      expect((await server.request(path, undefined, { method: 'POST', body })).status).to.equal(200);
    }
    expect(await sample('svc_ingest_lines_total{result="parsed"}')).to.equal(4);
    expect(await sample('svc_ingest_lines_total{result="unparsed"}')).to.equal(2);
    expect(await sample('svc_ingest_hits_total{result="inserted"}')).to.equal(2);
    expect(await sample('svc_ingest_hits_total{result="not_inserted"}')).to.equal(2);
  });

  it('show the pool of connections and the process', async () => {
    expect(await sample('svc_database_pool_max_connections{pool="primary"}')).to.be.at.least(1);
    expect(await sample('svc_database_pool_waiting{pool="primary"}')).to.equal(0);
    expect(await sample('process_cpu_seconds_total')).to.be.greaterThan(0);
  });

  it('have as many series as routes, whatever clients request', async () => {
    for (const path of ['/api/v1/some', '/api/v1/other/one', '/api/v1/overview/', '/elsewhere', '/%00'])
      await server.request(`${path}?brand=secret-brand`);
    await server.request('/livez', null, { method: 'PROPFIND' });
    const key = await server.key({ workspace: 'w', kind: 'read', name: 'secret-name' });
    await server.request('/api/v1/brands', key);
    expect(await requests('GET', '/api/v1{/*path}', '404')).to.equal(2);
    expect(await requests('GET', 'unknown', '404')).to.equal(2);
    expect(await requests('other', '/livez', '405')).to.equal(1);
    const text = await metrics.registry.metrics();
    for (const value of ['/api/v1/some', 'elsewhere', 'secret', 'first', 'PROPFIND', key])
      expect(text).to.not.contain(value);
  });
});

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
    const { admin, background } = await monitorProcess(ADDRESS, createLog('silent'));
    const options = { crawlerRetentionDays: 7, report: background.nightly };
    const database = await emptyDatabase();
    const work = startNightly(database.knex, createLog('silent'), options);
    await work.stop();
    const broken = { raw: () => Promise.reject(new Error('gone')) } as never;
    await startNightly(broken, createLog('silent'), options).stop();
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

  it('counts attempts to deliver by kind and result, and shows what waits', async () => {
    const { admin, background } = await monitorProcess(ADDRESS, createLog('silent'));
    background.deliveries.attempted('slack', 'delivered');
    background.deliveries.attempted('webhook', 'retried');
    background.deliveries.attempted('webhook', 'failed');
    background.deliveries.pending(3);
    const text = await (await fetch(admin.url)).text();
    expect(text)
      .to.contain('svc_delivery_attempts_total{kind="slack",result="delivered"} 1')
      .and.contain('svc_delivery_attempts_total{kind="webhook",result="retried"} 1')
      .and.contain('svc_delivery_attempts_total{kind="webhook",result="failed"} 1')
      .and.contain('svc_deliveries_pending 3');
    await admin.close();
  });
});
