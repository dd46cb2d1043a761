import { once } from 'node:events';
import { expect } from 'chai';
import { start } from './support/run.js';
import { session } from './support/session.js';

describe('standard output that is closed early', () => {
  const now = session();

  for (const format of ['table', 'ndjson', 'csv', 'md']) {
    it(`ends the pages and the command quietly: ${format}`, async () => {
      // The second page comes long after the output was closed.
      Object.defineProperty(now.server, 'delay', { get: () => (now.server.requests.length > 1 ? 1500 : 0) });
      const child = start(['answers', '--all', '--format', format], now.env);
      let stderr = '';
      child.stderr!.on('data', (chunk) => {
        stderr += chunk;
      });
      await once(child.stdout!, 'data');
      child.stdout!.destroy();
      const [code] = await once(child, 'close');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      expect(now.server.requests).to.have.length(2);
    });
  }
});

describe('Ctrl-C', () => {
  const now = session();

  it('ends a read with 130, under --json as one object', async () => {
    now.server.delay = 10_000;
    const child = start(['overview', '--json'], now.env);
    const ended = once(child, 'close');
    let stdout = '';
    child.stdout!.on('data', (chunk) => {
      stdout += chunk;
    });
    while (now.server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const [code] = await ended;
    expect(code).to.equal(130);
    expect(JSON.parse(stdout).error.code).to.equal('interrupted');
  });
});
