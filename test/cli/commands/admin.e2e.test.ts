import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { lockFolder } from '../../../src/server/database/data-folder.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type Environment, type Ran, svc } from '../support/run.js';

const records = [
  { type: 'workspace', id: 'w', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'shoes', workspace: 'w', name: 'Shoes', domain: 'shoes.example' },
  { type: 'prompt', id: 'p', brand: 'shoes', text: 'Which shoes?' },
  {
    type: 'run',
    id: 'r',
    brand: 'shoes',
    prompt: 'p',
    engine: 'chatgpt',
    region: 'us',
    collected_at: '2026-11-01T10:00:00.000Z',
    mentions: [{ name: 'Shoes', order: 1 }],
    citations: [{ url: 'https://shoes.example/' }],
  },
];
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** One sequence of tests on one database, because it takes time to open an embedded one. */
describe('svc admin', () => {
  let folder: string;
  let env: Environment;
  const admin = (...args: string[]): Promise<Ran> => svc(['admin', ...args], env);
  /** Runs a command without a database: wrong arguments are refused before it is opened. */
  const unreachable = (...args: string[]): Promise<Ran> =>
    admin(...args, '--database-url', 'postgres://127.0.0.1:9/none');
  const json = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout);
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-admin-'));
    env = serverUrl ? { DATABASE_URL: await createDatabaseUrl(serverUrl) } : { SVC_DATA_DIR: folder };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('says what to do for a database without a schema, and exits with 1', async () => {
    const { code, stderr } = await admin('workspaces', 'list');
    expect(code).to.equal(1);
    expect(stderr).to.include('`svc admin migrate`');
  });

  it('makes the schema of an empty database for an import, and writes nothing for its dry run', async () => {
    const own = mkdtempSync(join(tmpdir(), 'svc-admin-empty-'));
    const at: Environment = serverUrl
      ? { DATABASE_URL: await createDatabaseUrl(serverUrl) }
      : { SVC_DATA_DIR: own };
    try {
      const data = file('first.ndjson', lines(records));
      const checked = await svc(['admin', 'import', '--dry-run', data], at);
      expect(checked.code).to.equal(1);
      expect(checked.stderr).to.include('The database is empty');
      const { code, stdout } = await svc(['admin', 'import', data], at);
      expect([code, stdout]).to.deep.equal([
        0,
        `${data}: 4 lines imported (1 workspace, 1 brand, 1 prompt, 1 run)\n`,
      ]);
      expect((await svc(['admin', 'migrate'], at)).stdout).to.equal('The schema is up to date.\n');
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('migrates once', async () => {
    expect((await json('migrate')).applied[0]).to.match(/^01-schema-[0-9a-f]{8}$/);
    expect((await admin('migrate')).stdout).to.equal('The schema is up to date.\n');
  });

  it('counts records in words', async () => {
    const twice = [...records, { ...(records.at(-1) as object), id: 'other' }];
    const { stdout } = await admin('import', '--dry-run', file('twice.ndjson', lines(twice)));
    expect(stdout).to.include('5 lines checked (1 workspace, 1 brand, 1 prompt, 2 runs)');
  });

  it('imports a file, gzipped or not, and counts its records', async () => {
    const { stdout, code } = await admin('import', file('data.ndjson.gz', gzipSync(lines(records))));
    expect(code).to.equal(0);
    expect(stdout).to.include('4 lines imported (1 workspace, 1 brand, 1 prompt, 1 run)');
  });

  it('reports invalid lines by number, writes nothing and exits with 1', async () => {
    const bad = file('bad.ndjson', `${lines(records.slice(0, 1))}nonsense\n{"type":"brand"}\n`);
    const { code, stderr } = await admin('import', bad);
    expect(code).to.equal(1);
    expect(stderr)
      .to.include('bad.ndjson: nothing was imported')
      .and.include('line 2: ')
      .and.include('line 3: id: ');
  });

  it('lists each problem separately under --json', async () => {
    const bad = file('bad.ndjson', `${lines(records.slice(0, 1))}nonsense\n{"type":"brand"}\n`);
    const { error } = await json('import', bad);
    expect(error.problems_total).to.equal(error.problems.length);
    expect(error.problems[0]).to.deep.equal({
      file: bad,
      line: 2,
      field: null,
      message: 'expected a JSON object, got nonsense',
    });
    expect(error.problems[1]).to.deep.include({ file: bad, line: 3, field: 'id' });
  });

  it('reports which files were imported before a failure', async () => {
    const bad = file('bad.ndjson', 'nonsense\n');
    const { stdout, stderr, code } = await admin('import', file('good.ndjson', lines(records)), bad);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^\S*good\.ndjson: 4 lines imported/);
    expect(stderr).to.include('bad.ndjson: nothing was imported');
  });

  it('reports a folder, truncated gzip data and corrupt gzip data', async () => {
    const ofFolder = await unreachable('import', folder);
    expect(ofFolder.code).to.equal(2);
    expect(ofFolder.stderr).to.include(`${folder} is a folder`);
    const gz = gzipSync(lines(records));
    const cut = await admin('import', file('cut.ndjson.gz', gz.subarray(0, gz.length - 20)));
    expect(cut.code).to.equal(1);
    expect(cut.stderr).to.include('cut.ndjson.gz: nothing was imported').and.include('cut off');
    const spoilt = Buffer.from(gz);
    spoilt.fill(0xff, 12, 40);
    const { stderr } = await admin('import', file('spoilt.ndjson.gz', spoilt));
    expect(stderr).to.include('spoilt.ndjson.gz: nothing was imported').and.include('corrupt');
  });

  it('writes nothing under --dry-run', async () => {
    const more = file('more.ndjson', lines([{ type: 'workspace', id: 'x', name: 'X', plan: 'trial' }]));
    expect((await json('import', '--dry-run', more)).files[0].lines).to.equal(1);
    expect((await json('workspaces', 'list')).workspaces).to.have.length(1);
  });

  it('checks several files under --dry-run as they would be imported, and writes none', async () => {
    const brand = { type: 'brand', id: 'new', workspace: 'n', name: 'New', domain: 'new.example' };
    const first = file('a.ndjson', lines([{ type: 'workspace', id: 'n', name: 'N', plan: 'trial' }, brand]));
    const second = file('b.ndjson', lines([{ type: 'prompt', id: 'p', brand: 'new', text: 'Which?' }]));
    const third = file('c.ndjson', lines([{ ...records[3]!, id: 'other', brand: 'new', prompt: 'p' }]));
    const { code, stdout, stderr } = await admin('import', '--dry-run', first, second, third);
    expect([code, stderr, stdout.match(/ lines? checked/g)?.length]).to.deep.equal([0, '', 3]);
    const wrong = await admin('import', '--dry-run', first, third, second);
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.include('c.ndjson: nothing was imported').and.include('prompt');
    expect((await json('workspaces', 'list')).workspaces).to.have.length(1);
    expect((await json('brands', 'list')).brands).to.have.length(1);
  });

  it('exits with 2 if one of the files does not exist, and imports none', async () => {
    const files = [file('good.ndjson', lines(records)), join(folder, 'nothing.ndjson')];
    const { code, stdout, stderr } = await unreachable('import', ...files);
    expect([code, stdout, stderr.includes('nothing.ndjson cannot be read')]).to.deep.equal([2, '', true]);
  });

  it('exports data that import can read', async () => {
    const { stdout } = await admin('export');
    const exported = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported.map((record) => record.type)).to.have.members(records.map((record) => record.type));
    expect(exported.find((record) => record.type === 'run')).to.deep.include(records[3]);
    const { id } = exported.find((record) => record.type === 'brand');
    expect((await admin('export', '--brand', id)).stdout).to.equal(stdout);
    const none = await admin('export', '--brand', 'nobody');
    expect([none.code, none.stdout]).to.deep.equal([5, '']);
    expect(none.stderr).to.contain('Unknown brand: nobody (--brand).');
  });

  it('creates a key and prints it once, lists it without its secret, and revokes it', async () => {
    const made = await json(
      'keys',
      'create',
      '--workspace',
      'w',
      '--kind',
      'read',
      '--name',
      'dashboards',
      '--expires',
      '2027-01-31',
    );
    expect(made.key).to.match(/^svc_[0-9A-Za-z]{43}$/);
    const listed = await admin('keys', 'list', '--json');
    expect(listed.stdout).not.to.include(made.key);
    expect(JSON.parse(listed.stdout).keys[0]).to.deep.include({
      id: made.id,
      display: made.key.slice(0, 12),
      name: 'dashboards',
    });
    expect((await admin('keys', 'revoke', made.id)).code).to.equal(0);
    expect((await admin('keys', 'revoke', made.id)).code).to.equal(5);
  });

  it('lists, revokes and restores people who signed in by a provider', async () => {
    expect(await json('people', 'list')).to.deep.equal({ people: [] });
    for (const command of ['revoke', 'restore']) {
      const { code, stderr } = await admin('people', command, 'unknown');
      expect([code, stderr.includes('has the id unknown')]).to.deep.equal([5, true]);
    }
  });

  it('lists and revokes the grants of assistants', async () => {
    expect(await json('grants', 'list')).to.deep.equal({ grants: [] });
    const { code, stderr } = await admin('grants', 'revoke', 'unknown');
    expect([code, stderr.split('\n')[0]]).to.deep.equal([5, 'Error: No grant unknown exists.']);
  });

  it('refuses to create an expired key, and marks keys that have expired', async () => {
    const args = ['keys', 'create', '--workspace', 'w', '--kind', 'full', '--expires'];
    const create = (expires: string) => admin(...args, expires);
    for (const expires of ['2020-01-01', '2020-01-01T00:00:00Z', new Date().toISOString()]) {
      const { code, stdout, stderr } = await unreachable(...args, expires);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.contain(`Invalid expiry: ${expires} is in the past.`);
    }
    const today = new Date().toISOString().slice(0, 10);
    expect((await create(today)).code).to.equal(0);
    // On a busy machine the first time may pass before the command checks it.
    let soon: string;
    for (let ms = 1500; ; ms *= 4) {
      soon = new Date(Date.now() + ms).toISOString();
      if ((await create(soon)).code === 0) break;
      expect(ms).to.be.below(100_000);
    }
    while (new Date() <= new Date(soon)) await new Promise((resolve) => setTimeout(resolve, 50));
    const { keys } = await json('keys', 'list');
    const expired = keys.filter((key: { expired: boolean }) => key.expired);
    expect(expired.map((key: { expires_at: string }) => key.expires_at)).to.deep.equal([soon]);
    expect((await admin('keys', 'list')).stdout).to.contain('(expired)');
  });

  it('exits with 2 for a key with an unknown workspace or brand, or an invalid expiry or address', async () => {
    const create = ['keys', 'create', '--kind', 'full', '--workspace'];
    const words = [
      await admin(...create, 'nowhere'),
      await admin(...create, 'w', '--brand', 'other'),
      await unreachable(...create, 'w', '--expires', '2026-02-30'),
      await unreachable(...create, 'w', '--allow', '10.0.0.0/64'),
    ].map(({ code, stderr }) => [code, stderr.split('\n')[0]]);
    expect(words).to.deep.equal([
      [2, 'Error: Unknown workspace: nowhere'],
      [2, 'Error: Unknown brand in workspace w: other'],
      [2, 'Error: Invalid expiry: 2026-02-30. Give a date YYYY-MM-DD or an RFC 3339 time with offset.'],
      [2, 'Error: Invalid address or CIDR range: 10.0.0.0/64'],
    ]);
  });

  it('archives a brand, and exits with 5 if it does not exist', async () => {
    expect((await admin('brands', 'archive', 'shoes')).stdout).to.match(/^shoes is archived since 20/);
    expect((await json('brands', 'list')).brands[0]).to.include({
      id: 'shoes',
      archived: true,
      collected: true,
    });
    expect((await admin('brands', 'archive', 'hats')).code).to.equal(5);
  });

  it('reports which process uses an embedded folder, and exits with 1', async function () {
    if (serverUrl) this.skip();
    const lock = await lockFolder(join(folder, 'data'));
    const { code, stderr } = await admin('brands', 'list');
    await lock.release();
    expect(code).to.equal(1);
    expect(stderr).to.include(`in use by process ${process.pid}`).and.include('DATABASE_URL');
  });

  it('exits with 7 if the database cannot be reached', async () => {
    const { code, stdout } = await unreachable('brands', 'list', '--json');
    expect(code).to.equal(7);
    expect(JSON.parse(stdout).error).to.include({ code: 'network', retryable: true });
  });
});
