import { expect } from 'chai';
import { svc } from '../../support/run.js';

const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const [CDN, PROXY, CLIENT] = ['104.16.0.9', '45.33.32.156', '45.33.32.157'];

const line = (ip: string, second: number, chain?: string, agent = GPTBOT) =>
  `${ip} - - [20/Nov/2026:10:00:0${second} +0000] "GET /a HTTP/1.1" 200 5 "-" "${agent}"${chain === undefined ? '' : ` "${chain}"`}\n`;
const LOG = [
  line(CLIENT, 1),
  line(CDN, 2, CLIENT),
  line(CDN, 3),
  line(PROXY, 4, CDN),
  line(CLIENT, 5, undefined, 'Mozilla/5.0 (X11; Linux x86_64)'),
].join('');
const NOW = new Date('2026-11-20T12:00:00Z');

describe('svc ingest inspect', () => {
  // Nothing listens there: a request would fail.
  const inspected = (args: readonly string[], env = {}) =>
    svc(
      ['ingest', 'inspect', ...args],
      { SVC_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'x', ...env },
      LOG,
      () => NOW,
    );

  it('states in how many lines of crawlers the address of the client is usable, and sends nothing', async () => {
    const { code, stderr } = await inspected([]);
    expect(code, stderr).to.equal(0);
    expect(stderr)
      .to.include('client address usable in 75.0 % of these')
      .and.to.include('5 requests, 4 of AI crawlers')
      .and.to.include('nothing sent');
  });

  it('states the same as JSON', async () => {
    const { code, stdout } = await inspected(['--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({
      dry_run: true,
      matched: 4,
      inserted: null,
      bytes_sent: 0,
      client_addresses: { usable: 3, verified: 0, unverified: 3, unknown: 1 },
    });
  });

  it('takes the proxies that the server is told of for hops', async () => {
    const { stdout } = await inspected(['--json'], { CRAWLER_LOG_PROXIES: `${PROXY}, 198.51.100.0/24` });
    expect(JSON.parse(stdout).client_addresses).to.deep.equal({
      usable: 2,
      verified: 0,
      unverified: 2,
      unknown: 2,
    });
  });

  it('refuses proxies that no site has, with what is expected', async () => {
    const { code, stderr } = await inspected([], { CRAWLER_LOG_PROXIES: '64.0.0.0/4' });
    expect(code).to.equal(2);
    expect(stderr)
      .to.include('CRAWLER_LOG_PROXIES: expected comma-separated addresses')
      .and.to.include('64.0.0.0/4');
  });
});
