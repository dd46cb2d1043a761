import { createHmac, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { type Hit, identityInput } from '../../../src/logs/index.js';
import { dedupeKey } from '../../../src/server/ingest/take-logs.js';

const hit: Hit = { agent: 'gptbot', path: '/a', time: 0, status: 200, identity: { kind: 'id', id: 'ray' } };

describe('the de-duplication key of a hit', () => {
  it('is the first 16 bytes of HMAC-SHA256 over the identity of the hit', () => {
    const secret = Buffer.alloc(32, 7);
    const whole = createHmac('sha256', secret).update(identityInput(hit)).digest('hex');
    expect(dedupeKey(createSecretKey(secret), hit).toString('hex')).to.equal(whole.slice(0, 32));
  });

  it('differs for another secret, and for another path with the same request id', () => {
    const key = (fill: number, of: Hit) =>
      dedupeKey(createSecretKey(Buffer.alloc(32, fill)), of).toString('hex');
    expect(new Set([key(1, hit), key(2, hit), key(1, { ...hit, path: '/b' })]).size).to.equal(3);
    expect(key(1, hit)).to.equal(key(1, { ...hit, status: 404 }));
  });
});
