import { createServer } from 'node:http';
import { captureOutput } from '@oclif/test';
import { expect } from 'chai';
import { withInterval } from '../../../src/cli/base/flags.js';
import { intervalMs, Screen, watch } from '../../../src/cli/base/watch.js';
import { CommandError } from '../../../src/cli/command-error.js';
import { conditional } from '../../../src/cli/connection/fetch.js';
import { listening } from '../../support/listening.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('--watch', () => {
  const now = session();

  /** Watches a list of outputs, one a read, until they are used up. */
  async function watched(outputs: readonly (string | Error)[]) {
    const aborter = new AbortController();
    let at = 0;
    const read = async () => {
      const output = outputs[at++]!;
      if (output instanceof Error) throw output;
      return output;
    };
    const wait = async () => {
      if (at === outputs.length) aborter.abort();
    };
    return captureOutput(() => watch({ everyMs: 1000, signal: aborter.signal, read, wait }), {
      print: false,
    });
  }

  it('in a pipe prints an output again only if it changed', async () => {
    const { stdout, error } = await watched(['a\n', 'a\n', 'b\n', 'b\n', 'a\n']);
    expect(error).to.equal(undefined);
    expect(stdout).to.equal('a\nb\na\n');
  });

  it('goes on after a failure that may pass, but not after one that lasts, or one of the first read', async () => {
    const passing = new CommandError('server_error', 'Database unavailable', { retryable: true });
    const lasting = new CommandError('authentication', 'Unknown key');
    const passed = await watched(['a\n', passing, 'b\n']);
    expect(passed.stdout).to.equal('a\nb\n');
    expect(passed.stderr).to.match(/^\d\d:\d\d:\d\d UTC: Database unavailable\n$/);
    expect((await watched(['a\n', lasting, 'b\n'])).error?.message).to.equal('Unknown key');
    expect((await watched([passing, 'b\n'])).error?.message).to.equal('Database unavailable');
  });

  it('sends If-None-Match, and repeats the body after a 304', async () => {
    const sent: (string | null)[] = [];
    const fetch = conditional(async (input) => {
      const tag = (input as Request).headers.get('If-None-Match');
      sent.push(tag);
      return tag === '"1"'
        ? new Response(null, { status: 304, headers: { 'X-RateLimit-Remaining': '9' } })
        : new Response('{"a":1}', { headers: { ETag: '"1"' } });
    });
    for (let at = 0; at < 3; at++) {
      const response = await fetch('http://127.0.0.1/x');
      expect(response.status).to.equal(200);
      expect(await response.text()).to.equal('{"a":1}');
    }
    expect(await fetch('http://127.0.0.1/y').then((response) => response.status)).to.equal(200);
    expect(sent).to.deep.equal([null, '"1"', '"1"', null]);
  });

  it('gets a 304 from a server that honours Cache-Control: no-cache, as the API does', async () => {
    const statuses: number[] = [];
    const server = createServer(({ headers }, response) => {
      const isKnown = headers['if-none-match'] === '"1"' && !headers['cache-control']?.includes('no-cache');
      statuses.push(isKnown ? 304 : 200);
      response.writeHead(statuses.at(-1)!, { ETag: '"1"' }).end(isKnown ? '' : '{}');
    });
    const { url, close } = await listening(server);
    const fetch = conditional(globalThis.fetch);
    try {
      for (let at = 0; at < 2; at++) expect(await (await fetch(url)).text()).to.equal('{}');
    } finally {
      await close();
    }
    expect(statuses).to.deep.equal([200, 304]);
  });

  it('may be without seconds, or before them', () => {
    expect(withInterval(['--watch'])).to.deep.equal(['--watch=60']);
    expect(withInterval(['--watch', '5', '--brand', 'b'])).to.deep.equal(['--watch', '5', '--brand', 'b']);
    expect(withInterval(['--watch', '--json'])).to.deep.equal(['--watch=60', '--json']);
    expect(withInterval(['sentiment', '--watch'])).to.deep.equal(['sentiment', '--watch=60']);
    expect(withInterval(['--watch', 'sentiment'])).to.deep.equal(['--watch=60', 'sentiment']);
    expect(withInterval(['--', '--watch'])).to.deep.equal(['--', '--watch']);
  });

  it('refuses seconds out of range before any request', async () => {
    expect(intervalMs('2.5')).to.equal(2500);
    for (const given of ['0', '-3', '1e9', '', 'x'])
      expect(() => intervalMs(given)).to.throw('it takes seconds from 1 to 86400');
    const { code, stderr } = await svc(['overview', '--watch', '0'], now.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('--watch 0: it takes seconds from 1 to 86400.');
    expect(now.server.requests).to.deep.equal([]);
  });

  it('does not go with thresholds', async () => {
    const { code, stderr } = await svc(['overview', '--watch', '--fail-below', 'visibility=1'], now.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('--watch');
  });
});

describe('the screen of --watch', () => {
  const up = (lines: number) => `\u001b[${lines}F\u001b[0J`;

  it('moves back over what it drew, a wrapped line included', () => {
    const screen = new Screen({ rows: 10, columns: 10 });
    expect(screen.frame('a\nb\n')).to.equal('\u001b[0Ja\nb\n');
    expect(screen.frame(`${'x'.repeat(11)}\nb`)).to.equal(`${up(2)}${'x'.repeat(11)}\nb\n`);
    expect(screen.frame('\u001b[1mxxxxxxxxxx\u001b[22m')).to.equal(`${up(3)}\u001b[1mxxxxxxxxxx\u001b[22m\n`);
    expect(screen.frame('c')).to.equal(`${up(1)}c\n`);
  });

  it('cuts a text that is higher than the terminal, and keeps its last line', () => {
    const screen = new Screen({ rows: 5, columns: 80 });
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    expect(screen.frame(lines.join('\n')).split('\n').slice(0, -1)).to.deep.equal([
      '\u001b[0Jline 0',
      'line 1',
      '… 6 more lines in a higher terminal',
      'line 8',
    ]);
  });
});
