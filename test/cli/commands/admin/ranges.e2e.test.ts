import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exitCodes } from '../../../../src/contract/failure.js';
import { shippedLists } from '../../../../src/logs/clients/lists.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, svc } from '../../support/run.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const file = (prefixes: unknown[]) =>
  JSON.stringify({ creationTime: '2026-11-19T10:00:00.000000', prefixes });
const good = file([{ ipv4Prefix: '20.171.206.0/24' }, { ipv6Prefix: '2a03:2880::/32' }]);

const refused: readonly (readonly [what: string, content: string | Buffer, reason: RegExp])[] = [
  ['truncated', good.slice(0, -20), /not JSON, or truncated/],
  ['empty', '', /not JSON/],
  ['without a range', file([]), /the list is empty/],
  ['of 50 MB', Buffer.alloc(50 * 1024 * 1024, 32), /larger than 1 MiB/],
  ['with a prefix as wide as /4', file([{ ipv4Prefix: '16.0.0.0/4' }]), /too wide/],
];

interface Listed {
  readonly name: string;
  readonly url: string;
  readonly created: string | null;
  readonly fetched: string | null;
  readonly ranges: number;
  readonly state: string;
}

describe('svc admin ranges', () => {
  let folder: string;
  let env: Environment;
  let server: Server;
  let content: string | Buffer = good;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-ranges-'));
    env = await migratedDatabase(folder);
    server = createServer(({ url }, response) => {
      if (url === '/gptbot.json') response.end(content);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ranges = (args: readonly string[], now = NOW) =>
    svc(['admin', 'ranges', ...args], env, undefined, () => now);
  const from = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const listed = async (now = NOW): Promise<Listed[]> =>
    JSON.parse((await ranges(['list', '--json'], now)).stdout).ranges;
  const ofGptbot = async () => (await listed()).find(({ name }) => name === 'gptbot')!;

  it('list has every list with its source, its dates and whether it is in use', async () => {
    const lists = await listed();
    expect(lists.map(({ name }) => name)).to.deep.equal(shippedLists.map(({ name }) => name));
    for (const { name, url, fetched, ranges: count, state } of lists) {
      expect(url, name).to.match(/^https:\/\//);
      expect(state, name).to.equal(fetched === null ? 'no_copy' : 'in_use');
      expect(count > 0, name).to.equal(fetched !== null);
    }
    const { stdout } = await ranges(['list']);
    expect(stdout).to.match(/gptbot +OpenAI.* in use/);
  });

  it('list names what is older than 90 days: not the networks, of which an old list is better than none', async () => {
    const later = await listed(new Date(NOW.getTime() + 365 * DAY_MS));
    const networks = new Set(shippedLists.flatMap(({ name, forwards }) => (forwards ? [name] : [])));
    for (const { name, state, fetched } of later)
      expect(state, name).to.equal(fetched === null ? 'no_copy' : networks.has(name) ? 'in_use' : 'too_old');
  });

  it('update stores what the operator serves, with the day', async () => {
    content = good;
    const { code, stdout, stderr } = await ranges(['update', 'gptbot', '--from', from(), '--json']);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(JSON.parse(stdout)).to.deep.equal({
      ranges: [{ name: 'gptbot', ranges: 2, created: '2026-11-19', reason: null }],
    });
    expect(await ofGptbot()).to.include({
      fetched: '2026-11-20',
      created: '2026-11-19',
      ranges: 2,
      state: 'in_use',
    });
  });

  for (const [what, bytes, reason] of refused)
    it(`update refuses a file ${what}, and the old list stays`, async () => {
      const before = await ofGptbot();
      content = bytes;
      const { code, stdout, stderr } = await ranges(
        ['update', 'gptbot', '--from', from()],
        new Date(NOW.getTime() + DAY_MS),
      );
      expect(code).to.equal(exitCodes.incomplete);
      expect(stdout).to.match(reason);
      expect(stderr).to.include('1 of 1 lists stay as they are: gptbot.');
      expect(await ofGptbot()).to.deep.equal(before);
    });

  it('update of all lists stores those that are served, and says which are not', async () => {
    content = file([{ ipv4Prefix: '20.171.207.0/24' }]);
    const { code, stdout, stderr } = await ranges(['update', '--from', from(), '--json']);
    expect(code).to.equal(exitCodes.incomplete);
    const { error, ranges: results } = JSON.parse(stdout) as {
      error: { message: string };
      ranges: { name: string; reason: string | null }[];
    };
    expect(results).to.have.lengthOf(shippedLists.length);
    for (const { name, reason } of results)
      expect(reason, name).to.equal(name === 'gptbot' ? null : 'HTTP status 404');
    expect(stderr).to.equal('');
    expect(error.message).to.include(
      `${shippedLists.length - 1} of ${shippedLists.length} lists stay as they are`,
    );
    expect((await ofGptbot()).ranges).to.equal(1);
  });

  it('update refuses the name of no list, and names all', async () => {
    const { code, stderr } = await ranges(['update', 'nobody']);
    expect(code).to.equal(2);
    expect(stderr).to.include('There is no list nobody.').and.to.include('gptbot');
  });
});
