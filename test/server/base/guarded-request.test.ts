import { expect } from 'chai';
import { isPublicAddress } from '../../../src/logs/clients/address.js';
import { get } from '../../../src/server/base/guarded-request.js';
import { answering } from './robots/support.js';

/** Every request of a fetch uses `get`, so a redirect cannot reach an address that `get` refuses. */
describe('connections to public addresses only', () => {
  const connect = (url: string, allowPrivate: boolean) =>
    get(new URL(url), {
      allowPrivate,
      signal: AbortSignal.timeout(3000),
      secureWithinMs: 1000,
      userAgent: 'test',
    });
  const failure = (url: string) =>
    connect(url, false).then(
      () => 'connected',
      (error: Error) => error.message,
    );

  it('a name is refused by its resolved addresses, an address as it is', async () => {
    const site = await answering(200);
    const port = site.domain.split(':')[1];
    expect(await failure(`http://localhost:${port}/`)).to.equal('localhost has no public address');
    expect(await failure(`http://127.0.0.1:${port}/`)).to.equal('127.0.0.1 has no public address');
    expect(await failure(`http://[::ffff:127.0.0.1]:${port}/`)).to.equal(
      '::ffff:7f00:1 has no public address',
    );
    expect(await failure(`https://localhost:${port}/`)).to.equal('localhost has no public address');
    expect(site.asked).to.deep.equal([]);
    const response = await connect(`http://localhost:${port}/`, true);
    response.resume();
    expect(response.statusCode).to.equal(200);
    await site.close();
  });
});

describe('isPublicAddress', () => {
  const open = [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ];
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::1',
    'localhost',
    '',
  ];
  for (const address of open)
    it(`is true for ${address}`, () => expect(isPublicAddress(address)).to.equal(true));
  for (const address of closed) {
    it(`is false for ${address || '(nothing)'}`, () => expect(isPublicAddress(address)).to.equal(false));
  }
});
