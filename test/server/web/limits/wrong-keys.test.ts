import { expect } from 'chai';
import fc from 'fast-check';
import type { Access } from '../../../../src/server/accounts/access.js';
import { createWrongKeys, networkOf } from '../../../../src/server/web/limits/wrong-keys.js';

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
  const access = (kind: 'read' | 'operator') => ({ kind }) as Access;

  it('of one address do not touch another one, keys that exist, or the operator key where it has worked', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const wrongKeys = createWrongKeys(() => now);
    const passes = (address: string, found: Access | null | undefined, isLookedUp = true): boolean => {
      try {
        wrongKeys.check(() => address, found, isLookedUp);
        return true;
      } catch {
        return false;
      }
    };
    expect(passes('192.0.2.1', access('operator'))).to.equal(true);
    for (const address of ['192.0.2.1', '192.0.2.3'])
      for (let n = 0; n < 960; n++) expect(passes(address, null), String(n)).to.equal(true);
    expect(passes('192.0.2.1', null)).to.equal(false);
    expect(passes('192.0.2.1', undefined, false)).to.equal(true);
    expect(passes('192.0.2.1', access('read'))).to.equal(true);
    expect(passes('192.0.2.1', access('operator'))).to.equal(true);
    expect(passes('192.0.2.3', access('operator'))).to.equal(false);
    // A guess that is sent again, and is not looked up again, tells no more than the first time.
    expect(passes('192.0.2.3', access('operator'), false)).to.equal(false);
    expect(passes('192.0.2.3', null, false)).to.equal(false);
    expect(passes('192.0.2.2', null)).to.equal(true);
    now.setSeconds(1);
    expect(passes('192.0.2.1', null, false)).to.equal(true);
    const later = Array.from({ length: 17 }, () => passes('192.0.2.1', null));
    expect(later).to.deep.equal([...Array(16).fill(true), false]);
  });
});
