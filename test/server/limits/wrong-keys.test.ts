import { expect } from 'chai';
import fc from 'fast-check';
import { createWrongKeys, networkOf } from '../../../src/server/limits/wrong-keys.js';

describe('networkOf', () => {
  it('is an IPv4 address itself, and the first half of an IPv6 address, however it is written', () => {
    expect(networkOf('192.0.2.7')).to.equal('192.0.2.7');
    expect(networkOf('2001:db8:0:7::1')).to.equal('2001:db8:0:7');
    expect(networkOf('2001:0DB8:0000:0007:a:b:c:d')).to.equal('2001:db8:0:7');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('2001:db8::')).to.equal('2001:db8:0:0');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const groups = networkOf(address).split(':');
        expect(groups).to.have.lengthOf(4);
        expect(groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))).to.equal(true);
      }),
    );
  });
});

describe('wrong keys', () => {
  it('of one address do not touch another one, and a key that worked stays usable', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const wrongKeys = createWrongKeys(() => now);
    const send = (address: string, key: string, exists: boolean): boolean => {
      const attempt = wrongKeys.attempt(() => address);
      try {
        attempt.begin(key);
      } catch {
        return false;
      }
      attempt.end(exists);
      return true;
    };
    expect(send('192.0.2.1', 'good', true)).to.equal(true);
    for (let n = 0; n < 120; n++) expect(send('192.0.2.1', `wrong ${n}`, false)).to.equal(true);
    expect(send('192.0.2.1', 'wrong', false)).to.equal(false);
    expect(send('192.0.2.1', 'good', true)).to.equal(true);
    expect(send('192.0.2.1', 'other', true)).to.equal(false);
    expect(send('192.0.2.2', 'other', true)).to.equal(true);
    now.setSeconds(1);
    expect([1, 2, 3].map((n) => send('192.0.2.1', `later ${n}`, false))).to.deep.equal([true, true, false]);
  });
});
