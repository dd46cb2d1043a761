import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { market, runOf } from '../../../server/intake/dataset/support/load.js';
import { serverUrl } from '../../../support/database.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, svc } from '../../support/run.js';

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Only on a server: an embedded database takes half a second of processor time for each command. */
describe('svc admin prune and stats', () => {
  let folder: string;
  let env: Environment;
  const admin = (...args: string[]) => svc(['admin', ...args], env);
  const json = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout);

  before(async function () {
    if (!serverUrl) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'svc-prune-'));
    env = await migratedDatabase(folder);
    const file = join(folder, 'data.ndjson');
    const runs = [0, 100, 100, 101].map((days, at) => runOf(`r${at}`, { collected_at: ago(days) }));
    writeFileSync(file, [...market, ...runs].map((record) => JSON.stringify(record)).join('\n'));
    expect((await admin('import', file)).code).to.equal(0);
    return undefined;
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('counts with --dry-run, then deletes, then finds nothing', async () => {
    const found = { before: ago(60).slice(0, 10), dry_run: true, brands: [{ id: 'b', runs: 3, days: 2 }] };
    const prune = ['prune', '--runs-older-than', '60'];
    expect(await json(...prune, '--dry-run')).to.deep.equal(found);
    const { code, stdout } = await admin(...prune);
    expect([code, stdout.replaceAll(/ +/g, ' ')]).to.satisfy(
      ([exit, table]: [number, string]) => exit === 0 && /runs deleted.*\n.*\nb 3 2/.test(table),
      stdout,
    );
    expect((await json(...prune, '--brand', 'b')).brands).to.deep.equal([{ id: 'b', runs: 0, days: 0 }]);
  });

  it('refuses too few days and an unknown brand, and exits 2', async () => {
    // Refused before the database is opened.
    const few = await admin('prune', '--runs-older-than', '30', '--database-url', 'postgres://127.0.0.1:9/x');
    expect(few.code).to.equal(2);
    expect(few.stderr.replaceAll(/\s+/g, ' '))
      .to.contain('Expected runs older than 56 days or more')
      .and.contain('got 30');
    const unknown = await admin('prune', '--runs-older-than', '60', '--brand', 'nobody');
    expect([unknown.code, unknown.stderr]).to.deep.equal([2, 'Error: No brand nobody exists.\n']);
    expect((await admin('prune')).code).to.equal(2);
  });

  it('shows what is stored', async () => {
    const stats = await json('stats');
    expect(stats.brands).to.deep.equal([{ id: 'b', days: 3, collected: 4, stored: 1 }]);
    expect(stats.bytes_per_run).to.be.above(0);
    expect(stats.bytes_per_day).to.be.above(0);
    const { stdout } = await admin('stats');
    expect(stdout)
      .to.match(/^runs +runs +1 /m)
      .and.match(/^b +3 +4 +1$/m)
      .and.contain('A stored run takes');
  });
});
