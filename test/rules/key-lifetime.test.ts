import { expect } from 'chai';
import { revokeKey } from '../../src/server/accounts/keys.js';
import { testServer } from '../support/server.js';
import { brandRecords, NOW } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

describe('rule: a key works until it expires or is revoked', () => {
  const server = ruleServer({ data: brandRecords, clock: 'reset' });

  const answerAt = async (time: string, key: string) => {
    server.now = new Date(time);
    const reply = await server.request('/api/v1/brands', key);
    const { error } = (await reply.json()) as { error?: string };
    return [reply.status, error];
  };

  it('a bare date works through the end of that UTC day', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full', expires: '2026-11-21' });
    expect(await answerAt('2026-11-21T00:00:00Z', key)).to.deep.equal([200, undefined]);
    expect(await answerAt('2026-11-21T23:59:59.999Z', key)).to.deep.equal([200, undefined]);
    const refused = [401, 'This API key expired on 2026-11-21.'];
    expect(await answerAt('2026-11-22T00:00:00Z', key)).to.deep.equal(refused);
    expect(await answerAt('2027-11-22T00:00:00Z', key)).to.deep.equal(refused);
  });

  it('a time is the instant from which it is refused, whatever its offset', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full', expires: '2026-11-21T02:00:00+05:00' });
    expect((await answerAt('2026-11-20T20:59:59.999Z', key))[0]).to.equal(200);
    expect(await answerAt('2026-11-20T21:00:00Z', key)).to.deep.equal([
      401,
      'This API key expired on 2026-11-20.',
    ]);
  });

  it('an expired key is reported with WWW-Authenticate', async () => {
    const key = await server.key({ workspace: 'w', kind: 'ingest', expires: '2026-11-19' });
    const reply = await server.request('/api/v1/nonsense', key);
    expect(reply.status).to.equal(401);
    expect(reply.headers.get('WWW-Authenticate')).to.equal('Bearer');
  });

  it('a revoked key is unknown within a second, on every server of the database', async () => {
    const two = await testServer({ now: NOW, database: server.database });
    const key = await server.key({ workspace: 'w', kind: 'full' });
    for (const each of [server, two])
      expect((await each.request('/api/v1/brands', key)).status).to.equal(200);
    const { rows } = await server.database.knex.raw('select id from api_keys where display = ?', [
      key.slice(0, 12),
    ]);
    await revokeKey(server.database.knex, { id: rows[0].id, now: NOW });
    for (const each of [server, two]) {
      each.pass();
      const reply = await each.request('/api/v1/brands', key);
      expect(reply.status).to.equal(401);
      expect(reply.headers.has('X-SVC-Key-Kind')).to.equal(false);
    }
    await two.close();
  });
});
