import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { start } from '../support/run.js';
import { session } from '../support/session.js';

describe('standard output that is closed early', () => {
  const now = session();

  for (const format of ['table', 'ndjson', 'csv', 'md']) {
    it(`ends the pages and the command quietly: ${format}`, async () => {
      // The second page arrives long after the output was closed.
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

  it('ends a read with 130, and prints one object under --json', async () => {
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

describe('standard output that cannot be written', () => {
  const now = session();

  for (const args of [
    ['overview'],
    ['overview', '--json'],
    ['sources', '--all', '--format', 'csv'],
    ['--help'],
    ['sources', '--lmit', '--json'],
  ]) {
    it(`is reported in one line: svc ${args.join(' ')} > /dev/full`, async function () {
      if (!existsSync('/dev/full')) return this.skip();
      const full = openSync('/dev/full', 'w');
      const child = start(args, now.env, ['ignore', full, 'pipe']);
      closeSync(full);
      const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
      const [line, ...rest] = stderr.trimEnd().split('\n');
      if (args.includes('--lmit'))
        expect([code, line]).to.deep.equal([2, 'Error: Unknown flag: --lmit. Did you mean --limit?']);
      else {
        expect(code).to.equal(1);
        expect(line).to.equal(
          'Error: Standard output cannot be written: no space left on the device (ENOSPC).',
        );
        expect(rest).to.deep.equal([]);
      }
    });
  }
});
