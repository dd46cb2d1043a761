import { expect } from 'chai';
import { openDatabase } from '../../src/server/database/database.js';
import { checkedMarket, MODEL_KEY } from '../server/alerts/fact-check/support/checked-market.js';
import { sends } from '../server/alerts/fact-check/support/model-server.js';
import { call } from '../server/web/mcp/support/rpc.js';
import { citusWorkers } from '../support/citus.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../support/server.js';
import { collectingLog } from './support/collecting-log.js';
import { whileTableFails } from './support/failing-table.js';

const PASSWORD = 'database-password-0123456789';
const WRONG_KEY = 'svc_wrong0123456789012345678901234567890123456';
const TOKEN = 'verification-token-0123456789';

const fieldsOf = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

/** Sends a log whose line has the key too. */
const ship = (server: TestServer, key: string) =>
  server.request(`/api/v1/crawler-events?vercel_verify=${TOKEN}`, key, {
    method: 'POST',
    body: `192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET /?key=${key} HTTP/1.1" 200 5 "-" "GPTBot/1.2"\n`,
  });

describe('rule: no secret is logged, at any level', () => {
  it('in a story with every kind of key, failures of the model and of the database', async function () {
    // A distributed table has no triggers, which make it fail.
    if (citusWorkers.length > 0) this.skip();
    const { log, lines } = collectingLog();
    const market = await checkedMarket({ log, logLevel: 'trace' });
    const { server, model } = market;
    const keys = await Promise.all(
      (['full', 'read', 'ingest'] as const).map((kind) => server.key({ workspace: 'w', kind })),
    );
    for (const key of [...keys, OPERATOR_KEY, WRONG_KEY]) {
      await server.request('/api/v1/brands', key);
      await server.request(`/api/v1/overview?api_key=${key}&brand=${key}`, key);
      await server.request(`/api/v1/${key}`, key);
      await server.request(`/${key}`, key);
      await ship(server, key);
      await call(server, 'get_overview', { brand_id: key }, { key }).catch(() => {});
    }
    model.behave(sends({ error: { message: `Incorrect API key provided: ${MODEL_KEY}` } }, 401));
    expect(await market.refusal({ force: true })).to.contain('status 401');
    await whileTableFails(server.database, 'crawler_events', 'XX000', () => ship(server, keys[0]!));
    await market.close();

    const url = `postgres://svc:${PASSWORD}@127.0.0.1:9/svc`;
    const database = await openDatabase({ url, readUrl: url });
    const dark = await testServer({ database, log, logLevel: 'trace' });
    await dark.request('/readyz', null);
    await dark.request(`/api/v1/${keys[0]}`, keys[0]!);
    await dark.close();
    await database.close();

    const text = lines.join('');
    expect(lines.length).to.be.greaterThan(30);
    expect(fieldsOf(lines).map(({ msg }) => msg)).to.include.members([
      'request',
      'request failed',
      'database unavailable',
    ]);
    for (const secret of [...keys, OPERATOR_KEY, WRONG_KEY, MODEL_KEY, PASSWORD, TOKEN])
      expect(text).to.not.contain(secret);
  });

  it('a line per request has its id, the id of its key, route, status and time', async () => {
    const { log, lines } = collectingLog();
    const market = await checkedMarket({ log, logLevel: 'debug' });
    const response = await market.server.request('/api/v1/brands');
    await market.server.request('/nowhere', null);
    await market.close();
    const [known, unknown] = fieldsOf(lines).filter(({ msg }) => msg === 'request');
    const { ms, time: _, level, ...rest } = known!;
    expect([typeof ms, level]).to.deep.equal(['number', 20]);
    expect(rest).to.deep.equal({
      msg: 'request',
      method: 'GET',
      route: '/api/v1/brands',
      status: 200,
      aborted: false,
      requestId: response.headers.get('X-Request-Id'),
      keyId: 'operator',
    });
    expect(unknown).to.include({ status: 404 }).and.not.have.any.keys('route', 'keyId');
  });

  it('a level above debug logs no line per request', async () => {
    const { log, lines } = collectingLog();
    const market = await checkedMarket({ log, logLevel: 'info' });
    await market.server.request('/api/v1/brands');
    await market.close();
    expect(lines).to.deep.equal([]);
  });
});
