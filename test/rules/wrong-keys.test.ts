import { expect } from 'chai';
import { OPERATOR_KEY } from '../support/server.js';
import { ruleServer } from './support/rule-server.js';

describe('rule: an address that sends many wrong keys is slowed, and keys that worked from it are served', () => {
  const server = ruleServer({ per: 'test' });

  const statusesOf = (requests: readonly (() => Promise<Response>)[]) =>
    Promise.all(requests.map(async (send) => (await send()).status));
  const guess = (n: number) => () => server.request('/api/v1/brands', `guess-${n}-of-a-key-0123456789`);

  it('after 120 of them further ones are 429, but for two a second', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const unused = await server.key({ workspace: 'w', kind: 'read' });
    expect((await server.request('/api/v1/brands', key)).status).to.equal(200);
    const looked: string[] = [];
    server.database.lookUps.on('query', ({ sql }: { sql: string }) => {
      if (sql.includes('api_keys')) looked.push(sql);
    });
    for (let n = 0; n < 120; n++) expect(await statusesOf([guess(n)])).to.deep.equal([401]);
    looked.length = 0;
    const refused = await guess(120)();
    expect(refused.status).to.equal(429);
    expect(await refused.json()).to.deep.equal({
      error: 'Too many unknown API keys came from this address. Retry after 1s.',
      retry_after_seconds: 1,
    });
    expect(refused.headers.get('Retry-After')).to.equal('1');
    expect(looked).to.deep.equal([]);
    server.database.lookUps.removeAllListeners('query');
    expect((await server.request('/api/v1/brands', unused)).status).to.equal(429);
    expect((await server.request('/api/v1/brands', OPERATOR_KEY)).status).to.equal(429);
    // Longer than keys are kept.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await server.request('/api/v1/brands', key)).status).to.equal(200);
    server.now = new Date(server.now.getTime() + 1000);
    expect((await server.request('/api/v1/brands', OPERATOR_KEY)).status).to.equal(200);
    expect((await server.request('/api/v1/brands', unused)).status).to.equal(200);
  });

  it('one wrong key that is sent again and again is not slowed', async () => {
    for (let n = 0; n < 10; n++)
      expect(await statusesOf(Array.from({ length: 30 }, () => guess(0)))).to.deep.equal(Array(30).fill(401));
  });

  it('the form of the page counts too', async () => {
    const signIn = (key: string) =>
      server.request('/sign-in', null, {
        method: 'POST',
        headers: { Origin: server.url },
        body: new URLSearchParams({ key }),
        redirect: 'manual',
      });
    for (let n = 0; n < 120; n++) await signIn(`guess ${n}`);
    expect((await signIn('guess')).status).to.equal(429);
    expect((await signIn(OPERATOR_KEY)).status).to.equal(429);
  });
});
