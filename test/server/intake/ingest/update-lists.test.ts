import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { shippedLists } from '../../../../src/logs/clients/lists.js';
import { addressLists, keptLists, storeList } from '../../../../src/server/base/address-lists.js';
import { parseList, refreshedList } from '../../../../src/server/intake/ingest/update-lists.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const file = (prefixes: unknown[], creationTime = '2026-11-19T10:00:00.000000') =>
  JSON.stringify({ creationTime, prefixes });
const good = file([{ ipv4Prefix: '20.171.206.0/24' }, { ipv6Prefix: '2a03:2880::/32' }]);

const refused: readonly (readonly [rule: string, text: string, reason: RegExp])[] = [
  ['truncated', good.slice(0, -20), /not JSON, or truncated/],
  ['empty', '', /not JSON/],
  ['without ranges', file([]), /the list is empty/],
  ['a page', '<html></html>', /not JSON/],
  ['of another form', JSON.stringify({ ranges: ['20.171.206.0/24'] }), /no list of prefixes/],
  ['with a range as wide as /4', file([{ ipv4Prefix: '16.0.0.0/4' }]), /"16.0.0.0\/4" is too wide/],
  ['with a range of everybody', file([{ ipv6Prefix: '::/0' }]), /too wide/],
  ['with private ranges', file([{ ipv4Prefix: '10.1.0.0/16' }]), /not of the public internet/],
  ['with a number', file([{ ipv4Prefix: 7 }]), /7 is not a prefix/],
  ['with a name', file([{ ipv4Prefix: 'openai.com' }]), /is not a prefix/],
];

describe('a file of address ranges', () => {
  it('is read in the form of crawlers, and in those of networks', () => {
    const [v4, v6] = ['104.16.0.0/13', '2606:4700::/32'];
    expect(parseList(good)).to.deep.equal({
      created: '2026-11-19',
      prefixes: ['20.171.206.0/24', '2a03:2880::/32'],
    });
    for (const network of [
      { result: { ipv4_cidrs: [v4], ipv6_cidrs: [v6] } },
      { addresses: [v4], ipv6_addresses: [v6] },
      { CLOUDFRONT_GLOBAL_IP_LIST: [v4], CLOUDFRONT_REGIONAL_EDGE_IP_LIST: [v6] },
    ])
      expect(parseList(JSON.stringify(network))).to.deep.equal({ created: null, prefixes: [v4, v6] });
  });

  for (const [rule, text, reason] of refused)
    it(`is refused ${rule}`, () => expect(() => parseList(text)).to.throw(reason));

  it('is refused with plain texts in place of ranges: only copies of others have them', () =>
    expect(() => parseList(file(['20.171.206.0/24']))).to.throw(/is not a prefix/));
});

describe('the update of address lists', () => {
  const database = fresh(emptyDatabase);
  let server: Server;
  let respond = (): Buffer | string => good;
  before((done) => {
    server = createServer((_, response) => response.end(respond())).listen(0, '127.0.0.1', done);
  });
  after((done) => {
    server.close(done);
  });
  const [list] = shippedLists;
  const refresh = (allowPrivate = true) =>
    refreshedList(
      list!,
      () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.json`,
      allowPrivate,
    );

  it('stores a list for every server, which has it in place of that of the package', async () => {
    respond = () => good;
    const { content } = await refresh();
    await storeList(database.knex, list!, content!, NOW);
    const [first, ...others] = await addressLists(database.knex);
    expect(first).to.include({ checked: '2026-11-20', created: '2026-11-19' });
    expect(first!.prefixes).to.deep.equal(content!.prefixes);
    expect(others).to.deep.equal(shippedLists.slice(1));
  });

  it('keeps the list when the file is refused: of 50 MB, or of none', async () => {
    for (const text of [Buffer.alloc(50 * 1024 * 1024, 32), '']) {
      respond = () => text;
      const { content, reason } = await refresh();
      expect(content).to.equal(null);
      expect(reason).to.match(/larger than 1 MiB|not JSON/);
    }
  });

  it('connects to public addresses only', async () => {
    const { content, reason } = await refresh(false);
    expect([content, reason]).to.deep.equal([null, '127.0.0.1 has no public address']);
  });

  it('is seen by a server within ten seconds', async () => {
    let now = NOW.getTime();
    const lists = keptLists(database.knex, () => new Date(now));
    expect((await lists())[0]!.checked).to.equal(list!.checked);
    await storeList(database.knex, list!, parseList(good), NOW);
    expect((await lists())[0]!.checked).to.equal(list!.checked);
    now += 10_000;
    expect((await lists())[0]!.checked).to.equal('2026-11-20');
  });
});
