import { BlockList, isIP } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { addressKey, fieldKey, isPublicAddress, Ranges, rangeOf } from '../../../src/logs/clients/address.js';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const SAME = '2001:db8::c0a8:1';

describe('addresses', () => {
  it('have one key in every spelling, and a mapped address that of its version 4', () => {
    const spellings = [
      '2001:DB8::C0A8:1',
      '2001:0db8:0000:0000:0000:0000:c0a8:0001',
      '2001:db8:0:0:0:0:c0a8:1',
      '2001:db8::0:192.168.0.1',
    ];
    for (const spelling of spellings) expect(addressKey(spelling), spelling).to.equal(addressKey(SAME));
    for (const mapped of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
      expect(addressKey(mapped), mapped).to.equal(addressKey('192.0.2.1'));
  });

  it('are found by a field with a port, in brackets or with space around', () => {
    for (const field of ['192.0.2.1:443', ' 192.0.2.1 ', '[::ffff:192.0.2.1]:8080', '[::ffff:192.0.2.1]'])
      expect(fieldKey(field), field).to.equal(addressKey('192.0.2.1'));
  });

  it('are not read from other texts', () => {
    for (const text of [
      '',
      '-',
      'unknown',
      '192.0.2',
      '192.0.2.256',
      '192.0.02.1',
      '1.2.3.4.5',
      'fe80::1%eth0',
      '::1::',
      'host:80',
      '[x]:1',
    ])
      expect(fieldKey(text), text).to.equal(null);
  });

  it('are those that Node reads', () =>
    fc.assert(
      fc.property(
        fc.oneof(v4, v6, fc.string({ maxLength: 20 }), fc.stringMatching(/^[\d.:a-f]{0,20}$/)),
        (text) => {
          // An address of an interface names no client.
          expect(addressKey(text) !== null).to.equal(isIP(text) !== 0 && !text.includes('%'));
        },
      ),
    ));

  it('are public by the ranges of IANA, of version 4 also mapped', () => {
    for (const text of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1'])
      expect(isPublicAddress(text), text).to.equal(true);
    for (const text of ['10.1.2.3', '::ffff:10.1.2.3', '::1', 'fd00::1', '64:ff9b::10.0.0.1', 'nothing'])
      expect(isPublicAddress(text), text).to.equal(false);
  });
});

const range = fc
  .oneof(fc.tuple(v4, fc.integer({ min: 0, max: 32 })), fc.tuple(v6, fc.integer({ min: 0, max: 128 })))
  .map(([address, bits]) => `${address}/${bits}`);

describe('ranges', () => {
  it('contain the addresses that a block list of Node contains', () =>
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.oneof(v4, v6), (texts, address) => {
        const list = new BlockList();
        for (const text of texts) {
          const [first = '', bits] = text.split('/');
          list.addSubnet(first, Number(bits), isIP(first) === 6 ? 'ipv6' : 'ipv4');
        }
        const ranges = new Ranges(texts);
        expect(ranges.has(addressKey(address)!)).to.equal(
          list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
        );
        for (const text of texts) expect(ranges.has(addressKey(text.split('/')[0]!)!), text).to.equal(true);
      }),
    ));

  it('are single addresses too, and not other texts', () => {
    expect(rangeOf('192.0.2.1')).to.include({ bits: 32, version: 4 });
    expect(rangeOf('2001:db8::/32')).to.include({ bits: 32, version: 6 });
    for (const text of [
      '',
      '192.0.2.0/33',
      '192.0.2.0/',
      '192.0.2.0/24/1',
      '192.0.2.0/-1',
      '2001:db8::/129',
      'x/8',
    ])
      expect(rangeOf(text), text).to.equal(null);
  });
});
