import { expect } from 'chai';
import fc from 'fast-check';
import { isAllowed, plainAddress } from '../../../src/server/accounts/access.js';

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const number = (parts: number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);

describe('the allowlist', () => {
  it('allows every address if it is null, and none if it is empty', () => {
    for (const address of ['127.0.0.1', '::1', 'unknown', '']) {
      expect(isAllowed(address, null), address).to.equal(true);
      expect(isAllowed(address, []), address).to.equal(false);
    }
  });

  const cases: [address: string, range: string, allowed: boolean][] = [
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['203.0.113.7', '203.0.113.7/32', true],
    ['203.0.113.7', '203.0.113.0/29', true],
    ['203.0.113.8', '203.0.113.0/29', false],
    ['203.0.113.1', '203.0.113.77/24', true],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['2001:db8::1', '2001:db8::1', true],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
    ['2001:db8:1::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['2001:db8::1', '::/0', true],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['203.0.113.7', '::ffff:203.0.113.0/120', true],
    ['203.0.114.7', '::ffff:203.0.113.0/120', false],
    ['203.0.113.7', '::ffff:cb00:7107', true],
    ['203.0.113.8', '::ffff:cb00:7107', false],
    ['::ffff:cb00:7107', '203.0.113.7', true],
    ['::ffff:cb00:7107', '203.0.113.8', false],
    ['203.0.113.7', '2001:db8::/32', false],
    ['unknown', '0.0.0.0/0', false],
    ['', '0.0.0.0/0', false],
    ['203.0.113.7', 'nonsense', false],
  ];
  for (const [address, range, allowed] of cases) {
    it(`${address || '(none)'} is ${allowed ? '' : 'not '}in ${range}`, () => {
      expect(isAllowed(plainAddress(address), [range])).to.equal(allowed);
    });
  }

  it('allows an address that is in one of several ranges', () => {
    expect(isAllowed('203.0.113.7', ['10.0.0.0/8', '2001:db8::/32', '203.0.113.0/24'])).to.equal(true);
  });

  it('matches a v4 range with exactly the addresses that have its first bits', () => {
    fc.assert(
      fc.property(octets, octets, fc.nat(32), (network, address, bits) => {
        const size = 2 ** (32 - bits);
        const inside = Math.floor(number(network) / size) === Math.floor(number(address) / size);
        expect(isAllowed(address.join('.'), [`${network.join('.')}/${bits}`])).to.equal(inside);
        const mapped = [`::ffff:${network.join('.')}/${bits + 96}`];
        expect(isAllowed(plainAddress(`::ffff:${address.join('.')}`), mapped)).to.equal(inside);
      }),
    );
  });

  it('compares an address without port, brackets, zone and v4-mapping', () => {
    const written = {
      '203.0.113.7': '203.0.113.7',
      '203.0.113.7:8080': '203.0.113.7',
      '::ffff:203.0.113.7': '203.0.113.7',
      '::FFFF:203.0.113.7': '203.0.113.7',
      '[::ffff:203.0.113.7]:443': '203.0.113.7',
      '[2001:db8::1]:443': '2001:db8::1',
      '[2001:db8::1]': '2001:db8::1',
      'fe80::1%eth0': 'fe80::1',
      '2001:db8::1': '2001:db8::1',
    };
    for (const [address, plain] of Object.entries(written)) expect(plainAddress(address)).to.equal(plain);
  });
});
