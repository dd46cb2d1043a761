import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRobotsChecks, fetchRobots } from '../../../../src/server/base/robots/fetch.js';
import { answering, type Site, site } from './support.js';

const BLOCK = 'User-agent: GPTBot\nDisallow: /\n';

describe('a fetch of robots.txt', () => {
  const sites: Site[] = [];
  afterEach(async () => {
    for (const each of sites.splice(0)) await each.close();
  });
  const open = async (opening: Promise<Site>): Promise<Site> => {
    const opened = await opening;
    sites.push(opened);
    return opened;
  };
  const check = (domain: string, timeoutMs?: number) =>
    fetchRobots(domain, { allowPrivate: true, ...(timeoutMs && { timeoutMs }) });

  it('uses http if https does not respond, and requests /robots.txt', async () => {
    const { domain, asked } = await open(answering(200, BLOCK));
    const state = await check(domain);
    expect(state).to.have.nested.property('groups[0].rules[0].path', '/');
    expect(asked).to.deep.equal(['/robots.txt']);
  });

  const states: [status: number, state: string][] = [
    [200, 'ok'],
    [204, 'ok'],
    [401, 'absent'],
    [403, 'absent'],
    [404, 'absent'],
    [410, 'absent'],
    [429, 'error'],
    [500, 'error'],
    [503, 'error'],
    [304, 'error'],
  ];
  for (const [status, state] of states) {
    it(`returns ${state} for status ${status}`, async () => {
      const { domain } = await open(answering(status));
      expect((await check(domain)).state).to.equal(state);
    });
  }

  it('returns no rules for an HTML page with status 200', async () => {
    const { domain } = await open(answering(200, '<html><body>Not found</body></html>'));
    expect(await check(domain)).to.deep.equal({ state: 'ok', groups: [] });
  });

  const redirecting = (count: number) =>
    site(({ url = '' }, response) => {
      const at = Number(/\d+/.exec(url)?.[0] ?? 0);
      if (at < count) response.writeHead(302, { Location: `/${at + 1}` }).end();
      else response.end(BLOCK);
    });

  it('follows five redirects', async () => {
    const { domain } = await open(redirecting(5));
    expect((await check(domain)).state).to.equal('ok');
  });

  it('does not follow a sixth', async () => {
    const { domain } = await open(redirecting(6));
    expect(await check(domain)).to.deep.equal({ state: 'error', reason: 'more than 5 redirects' });
  });

  it('returns an error for a redirect to another scheme or to an invalid address', async () => {
    for (const Location of ['file:///etc/passwd', 'http://']) {
      const { domain } = await open(answering(302, '', { Location }));
      expect((await check(domain)).state).to.equal('error');
    }
  });

  it('reads 500 KiB and ignores the line that the limit cuts', async () => {
    const line = 'Disallow: /0123456789\n';
    const { domain } = await open(answering(200, `User-agent: *\n${line.repeat(40_000)}`));
    const state = await check(domain);
    if (state.state !== 'ok') throw new Error(state.state);
    const rules = state.groups[0]!.rules;
    expect(rules).to.have.lengthOf(Math.floor((500 * 1024 - 14) / line.length));
    expect(new Set(rules.map((rule) => rule.path))).to.deep.equal(new Set(['/0123456789']));
  });

  it('stops reading an endless body at the limit', async () => {
    const { domain } = await open(
      site((_, response) => {
        const more = () => {
          while (response.write('Disallow: /x\n'.repeat(1000))) {}
        };
        response.write('User-agent: *\n');
        response.on('drain', more);
        more();
      }),
    );
    expect((await check(domain)).state).to.equal('ok');
  });

  describe('of a compressed body, although no encoding was requested', () => {
    const compressed = (body: Buffer, encoding?: string) =>
      open(
        site((_, response) =>
          response.writeHead(200, encoding === undefined ? {} : { 'Content-Encoding': encoding }).end(body),
        ),
      );
    const error = (reason: string) => ({ state: 'error', reason });

    const decoded: [what: string, body: Buffer, encoding?: string][] = [
      ['gzip', gzipSync(BLOCK), 'gzip'],
      ['x-gzip', gzipSync(BLOCK), 'X-Gzip'],
      ['deflate', deflateSync(BLOCK), 'deflate'],
      ['br', brotliCompressSync(BLOCK), 'br'],
      ['gzip without a header', gzipSync(BLOCK)],
    ];
    for (const [what, body, encoding] of decoded) {
      it(`decodes ${what}`, async () => {
        const state = await check((await compressed(body, encoding)).domain);
        expect(state).to.have.nested.property('groups[0].rules[0].path', '/');
      });
    }

    it('returns no rules for an empty body with encoding gzip', async () => {
      expect(await check((await compressed(Buffer.alloc(0), 'gzip')).domain)).to.deep.equal({
        state: 'ok',
        groups: [],
      });
    });

    const unread: [what: string, reason: string, body: Buffer, encoding?: string][] = [
      ['zstd', 'it came compressed as zstd', Buffer.from(BLOCK), 'zstd'],
      ['zstd without a header', 'it came compressed as zstd', Buffer.from('\x28\xb5\x2f\xfd\0\0', 'latin1')],
      ['gzip twice', 'it came compressed as gzip, gzip', gzipSync(gzipSync(BLOCK)), 'gzip, gzip'],
      ['text with encoding gzip', 'it came as gzip and is not valid gzip', Buffer.from(BLOCK), 'gzip'],
      ['truncated gzip', 'it came as gzip and is not valid gzip', gzipSync(BLOCK).subarray(0, -12)],
      [
        'an encoding with control characters',
        'it came compressed as z\\u0085',
        Buffer.from(BLOCK),
        'z\u0085',
      ],
    ];
    for (const [what, reason, body, encoding] of unread) {
      it(`returns an error, not an empty file, for ${what}`, async () => {
        expect(await check((await compressed(body, encoding)).domain)).to.deep.equal(error(reason));
      });
    }

    it('reads up to 500 KiB of the decoded text, to the last whole line', async () => {
      const line = 'Disallow: /0123456789\n';
      const bomb = gzipSync(`User-agent: *\n${line.repeat(2_000_000)}`);
      const state = await check((await compressed(bomb, 'gzip')).domain);
      if (state.state !== 'ok') throw new Error(state.state);
      expect(state.groups[0]!.rules).to.have.lengthOf(Math.floor((500 * 1024 - 14) / line.length));
    });
  });

  it('loses no rule to a part of a byte order mark', async () => {
    for (const bytes of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0xbf]]) {
      const { domain } = await open(
        site((_, response) => response.end(Buffer.concat([Buffer.from(bytes), Buffer.from(BLOCK)]))),
      );
      expect(await check(domain)).to.have.nested.property('groups[0].agents[0].token', 'gptbot');
    }
  });

  const silences: [what: string, listener: Parameters<typeof site>[0]][] = [
    ['never answers', () => undefined],
    [
      'never ends',
      (_, response) => {
        response.write('User-agent: *\n');
      },
    ],
  ];
  for (const [what, listener] of silences) {
    it(`gives up in time if the site ${what}`, async () => {
      const { domain } = await open(site(listener));
      expect(await check(domain, 400)).to.deep.equal({ state: 'error', reason: 'no answer within 0.4 s' });
    });
  }

  it('leaves time for http if the https port accepts connections but does not respond', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      if (connections++ > 0) socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${BLOCK.length}\r\n\r\n${BLOCK}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const state = await check(`127.0.0.1:${(server.address() as AddressInfo).port}`, 2000);
    server.close();
    expect(state.state).to.equal('ok');
  });

  it('returns an error if nothing listens or the name does not exist', async () => {
    expect((await check('127.0.0.1:9')).state).to.equal('error');
    expect((await check('does-not-exist.invalid')).state).to.equal('error');
    expect((await check('')).state).to.equal('error');
  });

  describe('without private addresses', () => {
    const guarded = (domain: string) => fetchRobots(domain, { allowPrivate: false, timeoutMs: 2000 });

    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '169.254.169.254',
    ]) {
      it(`does not connect to ${host}`, async () => {
        const { domain, asked } = await open(answering(200, BLOCK));
        const port = domain.split(':')[1];
        for (const target of [host, `${host}:${port}`]) {
          const state = await guarded(target);
          expect(state.state).to.equal('error');
          if (state.state === 'error') expect(state.reason).to.match(/has no public address|no answer/);
        }
        expect(asked).to.deep.equal([]);
      });
    }

    it('ignores the port of a domain', async () => {
      const { domain } = await open(answering(200, BLOCK));
      expect((await guarded(domain)).state).to.equal('error');
    });
  });
});

const HOUR = 3_600_000;

describe('robots checks', () => {
  it('are cached for an hour, also failures', async () => {
    let now = 1_000_000_000_000;
    let status = 500;
    const failing = await site((_, response) => response.writeHead(status).end());
    const checks = createRobotsChecks(() => new Date(now), { allowPrivate: true });
    const first = await checks.of(failing.domain);
    expect(first.state.state).to.equal('error');
    status = 200;
    now += HOUR - 1;
    expect(await checks.of(failing.domain)).to.equal(first);
    now += 1;
    const next = await checks.of(failing.domain);
    expect(next.state.state).to.equal('ok');
    expect(next.checkedAt).to.equal(now);
    expect(failing.asked).to.have.lengthOf(2);
    await failing.close();
  });

  it('share one fetch between concurrent readers of a domain', async () => {
    const [one, other] = [await answering(404), await answering(200)];
    const checks = createRobotsChecks(() => new Date(0), { allowPrivate: true });
    const states = await Promise.all(Array.from({ length: 20 }, () => checks.of(one.domain)));
    expect(new Set(states).size).to.equal(1);
    expect((await checks.of(other.domain)).state.state).to.equal('ok');
    expect([one.asked.length, other.asked.length]).to.deep.equal([1, 1]);
    await one.close();
    await other.close();
  });
});
