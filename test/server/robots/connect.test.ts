import { expect } from 'chai';
import { get } from '../../../src/server/robots/connect.js';
import { answering } from './support.js';

/** Every request of a fetch uses `get`, so a redirect cannot reach an address that `get` refuses. */
describe('connections to public addresses only', () => {
  const connect = (url: string, allowPrivate: boolean) =>
    get(new URL(url), { allowPrivate, signal: AbortSignal.timeout(3000), secureWithinMs: 1000 });
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
