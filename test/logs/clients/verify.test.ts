import { expect } from 'chai';
import fc from 'fast-check';
import { agents, findAgent, recogniseAgent } from '../../../src/logs/agents/match.js';
import { rangeOf } from '../../../src/logs/clients/address.js';
import { type AddressList, LIST_DAYS, proxyList, shippedLists } from '../../../src/logs/clients/lists.js';
import { createVerifier } from '../../../src/logs/clients/verify.js';
import type { Hit } from '../../../src/logs/hit.js';
import { createLogParser } from '../../../src/logs/parse.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const list = (name: string, prefixes: string[], more: Partial<AddressList> = {}): AddressList => ({
  ...{ name, operator: name, url: `https://${name}.example/`, forwards: false, created: null },
  ...{ checked: '2026-11-01', prefixes, ...more },
});
const LISTS = [
  list('gptbot', ['20.171.206.0/24', '2a03:2880:99::/48']),
  list('cloudflare', ['104.16.0.0/13', '2606:4700::/33'], { forwards: true, checked: '2024-01-01' }),
];
const GPTBOT = 'Mozilla/5.0; compatible; GPTBot/1.3; +https://openai.com/gptbot';
const [OWN, OTHER, CDN, PRIVATE] = ['20.171.206.7', '45.33.32.156', '104.16.0.9', '10.0.0.3'];

function hitsOf(text: string, lists = LISTS): Hit[] {
  const hits: Hit[] = [];
  const parser = createLogParser({
    now: NOW,
    verifier: createVerifier(lists, NOW),
    onHit: (hit) => hits.push(hit),
  });
  parser.push(Buffer.from(text));
  parser.end();
  return hits;
}
const verdictsOf = (text: string, lists = LISTS) => hitsOf(text, lists).map(({ verified }) => verified);

const combined = (ip: string, tail = '', userAgent = GPTBOT, day = '20/Nov/2026') =>
  `${ip} - - [${day}:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "${userAgent}"${tail}\n`;
const record = (fields: object) =>
  `${JSON.stringify({ request_uri: '/a', http_user_agent: GPTBOT, time_iso8601: '2026-11-20T10:00:00Z', status: 200, ...fields })}\n`;

describe('the verification of crawlers', () => {
  it('tells the addresses of the operator from others, in every spelling', () => {
    for (const ip of [
      OWN,
      `::ffff:${OWN}`,
      '::FFFF:14ab:ce07',
      '2a03:2880:99::1',
      '2a03:2880:0099:0:0:0:0:1',
    ])
      expect(verdictsOf(combined(ip)), ip).to.deep.equal([true]);
    for (const ip of [OTHER, `::ffff:${OTHER}`, '2a01:4f8::1'])
      expect(verdictsOf(combined(ip)), ip).to.deep.equal([false]);
  });

  it('knows nothing by an address of a network that forwards, a private one, or none', () => {
    for (const ip of [CDN, '2606:4700:1::1', PRIVATE, '::1', 'fd00::7', '-', 'unknown', 'host.example'])
      expect(verdictsOf(combined(ip)), ip).to.deep.equal([null]);
  });

  it('counts of a forwarding chain only what known hops added', () => {
    const chains: [peer: string, chain: string, verdict: boolean | null][] = [
      [CDN, OWN, true],
      [CDN, OTHER, false],
      [CDN, `${OWN}, ${OTHER}`, false],
      [CDN, `${OTHER}, ${OWN}`, true],
      [PRIVATE, `${OWN}, ${CDN}`, true],
      [PRIVATE, `${OWN}, ${OTHER}, ${CDN}, ${PRIVATE}`, false],
      [OTHER, OWN, false],
      [OWN, OTHER, true],
      [CDN, CDN, null],
      [CDN, PRIVATE, null],
      [CDN, 'forged', null],
    ];
    for (const [peer, chain, verdict] of chains) {
      const name = `${chain} from ${peer}`;
      expect(verdictsOf(combined(peer, ` "${chain}"`)), name).to.deep.equal([verdict]);
      expect(verdictsOf(combined(peer, ` 0.003 "0.004" X-Forwarded-For="${chain}"`)), name).to.deep.equal([
        verdict,
      ]);
      expect(verdictsOf(record({ remote_addr: peer, http_x_forwarded_for: chain })), name).to.deep.equal([
        verdict,
      ]);
    }
  });

  it('takes the proxies that are stated for known hops, and no others', () => {
    const own = [...LISTS, proxyList([OTHER, '2a01:4f8::/32'])];
    const behind = (peer: string, chain: string) => combined(peer, ` "${chain}"`);
    expect(verdictsOf(behind(OTHER, OWN))).to.deep.equal([false]);
    expect(verdictsOf(behind(OTHER, OWN), own)).to.deep.equal([true]);
    expect(verdictsOf(behind(CDN, `${OWN}, ${OTHER}, 2a01:4f8::7`), own)).to.deep.equal([true]);
    expect(verdictsOf(behind(OTHER, `${OWN}, 45.33.32.157`), own)).to.deep.equal([false]);
    expect(verdictsOf(combined(OTHER), own)).to.deep.equal([null]);
  });

  it('takes CF-Connecting-IP from Cloudflare only', () => {
    const via = (peer: string) => record({ remote_addr: peer, http_cf_connecting_ip: OWN });
    expect(verdictsOf(via(CDN))).to.deep.equal([true]);
    expect(verdictsOf(via(PRIVATE))).to.deep.equal([null]);
    expect(verdictsOf(via(OTHER))).to.deep.equal([false]);
  });

  it('takes no chain for an address, where a record has no other', () => {
    const envoy = (more: object) =>
      `${JSON.stringify({ 'x-envoy-origin-path': '/a', 'user-agent': GPTBOT, start_time: '2026-11-20T10:00:00Z', 'x-forwarded-for': OWN, ...more })}\n`;
    expect(verdictsOf(envoy({}))).to.deep.equal([null]);
    expect(verdictsOf(envoy({ downstream_remote_address: `${PRIVATE}:4711` }))).to.deep.equal([true]);
    expect(verdictsOf(envoy({ downstream_remote_address: `${OTHER}:4711` }))).to.deep.equal([false]);
  });

  it(`knows nothing by a list that is more than ${LIST_DAYS} days old, or newer than the request by that`, () => {
    const fetched = (checked: string | null) => [list('gptbot', ['20.171.206.0/24'], { checked })];
    expect(verdictsOf(combined(OTHER), fetched('2026-08-22'))).to.deep.equal([false]);
    expect(verdictsOf(combined(OTHER) + combined(OWN), fetched('2026-08-20'))).to.deep.equal([null, null]);
    expect(verdictsOf(combined(OWN), fetched(null))).to.deep.equal([null]);
    expect(verdictsOf(combined(OTHER, '', GPTBOT, '01/Mar/2026'), fetched('2026-11-01'))).to.deep.equal([
      null,
    ]);
  });

  it('knows nothing of agents without a list, and of those on the devices of people', () => {
    const bytespider = 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)';
    const code = 'Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)';
    expect(recogniseAgent(code)?.key).to.equal('claude-code');
    expect(recogniseAgent('Mozilla/5.0 (compatible; Claude-User/1.0)')?.key).to.equal('claude-user');
    expect(verdictsOf(combined(OTHER, '', bytespider) + combined(OTHER, '', code))).to.deep.equal([
      null,
      null,
    ]);
  });

  it('changes neither the identity nor the number of hits', () => {
    const text =
      combined(OWN) + combined(CDN, ` "${OWN}"`) + record({ remote_addr: CDN, http_x_forwarded_for: OWN });
    const plain: Hit[] = [];
    const parser = createLogParser({ now: NOW, onHit: (hit) => plain.push(hit) });
    parser.push(Buffer.from(text));
    parser.end();
    expect(hitsOf(text).map(({ identity }) => identity)).to.deep.equal(plain.map(({ identity }) => identity));
  });

  it('loses no line, counts none twice and lets no address pass, whatever a line holds (20,000 mutated lines)', () => {
    const lines = [
      combined(OWN, ` "${OTHER}, ${OWN}"`),
      combined('[2a03:2880:99::1]:443'),
      record({ remote_addr: CDN, http_x_forwarded_for: `${OWN}, ${OTHER}` }),
    ];
    const bytes = fc.tuple(
      fc.constantFrom(...lines),
      fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 32, max: 126 })), { maxLength: 6 }),
    );
    const addresses = [OWN, OTHER, CDN, '2a03:2880:99::1'];
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 20, maxLength: 20 }), (mutated) => {
        const text = mutated.map(([line, changes]) => {
          const characters = [...line.trimEnd()];
          for (const [at, code] of changes) characters[at % characters.length] = String.fromCharCode(code);
          return `${characters.join('').replace(/^#/, '_')}\n`;
        });
        const hits: Hit[] = [];
        const options = {
          now: NOW,
          verifier: createVerifier(LISTS, NOW),
          onHit: (hit: Hit) => hits.push(hit),
        };
        const whole = createLogParser(options);
        whole.push(Buffer.from(text.join('')));
        const { totalLines, unparsed, blank, notRequests, records, matched } = whole.end();
        expect(totalLines + unparsed + blank + notRequests).to.equal(records);
        expect(hits).to.have.lengthOf(matched);
        for (const { agent, path, verified } of hits) {
          expect([true, false, null]).to.include(verified);
          // A mutation may move an address into the path, which is stored as it is.
          if (path === '/a')
            for (const address of addresses) expect(`${agent}${path}`).not.to.include(address);
        }
      }),
      { numRuns: 1000, seed: 20_261_120 },
    );
  });
});

describe('the lists of the package', () => {
  it('have ranges that can be read, on days that exist, and every one that an agent names', () => {
    const names = new Set(shippedLists.map(({ name }) => name));
    for (const { name, prefixes, checked, url } of shippedLists) {
      for (const prefix of prefixes) expect(rangeOf(prefix), `${name} ${prefix}`).not.to.equal(null);
      expect(new URL(url).protocol).to.equal('https:');
      expect(checked === null ? prefixes.length === 0 : !Number.isNaN(Date.parse(checked)), name).to.equal(
        true,
      );
    }
    for (const { key, ranges } of agents)
      for (const name of ranges) expect(names.has(name), `${key} ${name}`).to.equal(true);
  });

  it('verify known addresses of crawlers', () => {
    const verifier = createVerifier(shippedLists, NOW);
    const known = {
      googlebot: '66.249.66.1',
      gptbot: '20.171.206.10',
      claudebot: '216.73.217.42',
      bingbot: '40.77.167.5',
    };
    for (const [key, ip] of Object.entries(known)) {
      const entry = {
        ...{ time: NOW.getTime(), timeText: '', method: '', target: '', status: null, bytes: '' },
        ...{ userAgent: '', referer: '', host: '', id: '' },
      };
      expect(verifier.verify(findAgent(key)!, { ...entry, ip }), key).to.equal(true);
      expect(verifier.verify(findAgent(key)!, { ...entry, ip: '45.33.32.156' }), key).to.equal(false);
    }
  });
});
