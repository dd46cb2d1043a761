import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SvcClient } from '../../src/sdk/client.js';
import { SDK_VERSION } from '../../src/sdk/transport.js';

describe('the User-Agent of the SDK', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(SDK_VERSION).to.equal(version);
  });

  /** The headers of a read and of a tool call. */
  async function sent(): Promise<(string | null)[]> {
    const headers: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      headers.push((input as Request).headers.get('User-Agent'));
      return new Response('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
    };
    const svc = new SvcClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'svc_x', fetch });
    await svc.overview();
    await svc.tools.list();
    return headers;
  }

  it('is sent with every request', async () => {
    expect(await sent()).to.deep.equal(Array(2).fill(`answer-visibility-sdk/${SDK_VERSION}`));
  });

  it('is left to browsers, which have a document', async () => {
    Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
    try {
      expect(await sent()).to.deep.equal([null, null]);
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });
});
