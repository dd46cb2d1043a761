import { expect } from 'chai';
import { type PlainRequest, statusesOf } from '../support/pipeline.js';
import { OPERATOR_KEY } from '../support/server.js';
import { brandRecords } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

describe('rule: an address that sends many wrong keys is slowed, and keys that exist are served', () => {
  const server = ruleServer({ data: brandRecords, per: 'test' });

  const statusOf = async (key: string) => (await server.request('/api/v1/brands', key)).status;
  const guess = (n: number) => `guess-${n}-of-a-key-0123456789`;
  const guesses = (count: number, request: (key: string) => PlainRequest, from = 0) =>
    statusesOf(
      server.url,
      Array.from({ length: count }, (_, n) => request(guess(from + n))),
    );
  const brandsBy = (key: string) => ({
    path: '/api/v1/brands',
    headers: { Authorization: `Bearer ${key}` },
  });

  it('after 960 of them further ones are 429, but for 16 a second, and so is the operator key', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    expect(await guesses(960, brandsBy)).to.deep.equal(Array(960).fill(401));
    const refused = await server.request('/api/v1/brands', guess(960));
    expect(refused.status).to.equal(429);
    expect(await refused.json()).to.deep.equal({
      error: 'Too many unknown API keys came from this address. Retry after 1s.',
      code: 'too_many_wrong_keys',
      retry_after_seconds: 1,
    });
    expect(refused.headers.get('Retry-After')).to.equal('1');
    const right = await server.request('/api/v1/brands', OPERATOR_KEY);
    expect(right.status).to.equal(429);
    expect([...right.headers.keys()]).to.deep.equal([...refused.headers.keys()]);
    // Nor does sending a guess again tell whether it was right; a request without a key is told that it needs one.
    expect([await statusOf(guess(960)), await statusOf(OPERATOR_KEY)]).to.deep.equal([429, 429]);
    expect((await server.request('/api/v1/brands', null)).status).to.equal(401);
    expect(await statusOf(key)).to.equal(200);
    server.now = new Date(server.now.getTime() + 1000);
    expect(await statusOf(OPERATOR_KEY)).to.equal(200);
  });

  it('one wrong key that is sent again and again is not slowed', async () => {
    const again = await guesses(2000, () => brandsBy(guess(0)));
    expect(again).to.deep.equal(Array(2000).fill(401));
  });

  it('the form of the page counts too', async () => {
    const signIn = (key: string) => ({
      method: 'POST',
      path: '/sign-in',
      headers: { Origin: server.url },
      body: `${new URLSearchParams({ key })}`,
    });
    expect(await guesses(960, signIn)).to.deep.equal(Array(960).fill(401));
    expect(await statusesOf(server.url, [signIn('guess'), signIn(OPERATOR_KEY)])).to.deep.equal([429, 429]);
  });
});
