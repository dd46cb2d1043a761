import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { distributedTables, tables } from '../../../../src/server/database/citus.js';
import { citusWorkers } from '../../../support/citus.js';
import { createDatabaseUrl, serverUrl } from '../../../support/database.js';
import { type Environment, svc } from '../../support/run.js';

interface Plan {
  readonly tables: readonly { table: string; placement: string; changed: boolean }[];
}

describe('svc admin distribute', () => {
  let env: Environment;
  const distribute = (...args: string[]) => svc(['admin', 'distribute', ...args], env);
  const changed = async (...args: string[]): Promise<string[]> => {
    const { tables: rows } = JSON.parse((await distribute('--json', ...args)).stdout) as Plan;
    return rows.filter((row) => row.changed).map((row) => row.table);
  };

  it('refuses the embedded database with exit 2, before it opens it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-distribute-'));
    env = { SVC_DATA_DIR: folder };
    const { code, stderr } = await distribute();
    rmSync(folder, { recursive: true });
    expect(code).to.equal(2);
    expect(stderr).to.match(/^Error: The embedded database cannot be distributed\. Set\s+DATABASE_URL/);
  });

  it('refuses flags that exclude each other, and an invalid number of shards', async () => {
    for (const args of [
      ['--undo', '--shards', '4'],
      ['--shards', '0'],
      ['--shards', 'many'],
    ]) {
      expect((await distribute(...args)).code, args.join(' ')).to.equal(2);
    }
  });

  describe('on a server', () => {
    before(async function () {
      if (!serverUrl) return this.skip();
      env = { DATABASE_URL: await createDatabaseUrl(serverUrl) };
      expect((await distribute('--dry-run')).stderr).to.include('`svc admin migrate`');
      await svc(['admin', 'migrate'], env);
    });

    it('without Citus prints what it would do and what is missing, and exits 1', async function () {
      if (citusWorkers.length > 0) this.skip();
      for (const args of [[], ['--dry-run']]) {
        const { code, stdout, stderr } = await distribute(...args);
        expect(code).to.equal(1);
        expect(stdout)
          .to.match(/^runs +distributed +yes/m)
          .and.match(/^brands +local +no/m);
        expect(stderr).to.include('The database has no Citus extension.');
      }
      const { error } = JSON.parse((await distribute('--json')).stdout);
      expect(error).to.include({ code: 'unexpected', retryable: false });
      expect(await changed('--undo')).to.deep.equal([]);
    });

    it('with Citus distributes what is missing, and brings it back', async function () {
      if (citusWorkers.length === 0) this.skip();
      expect(await changed('--dry-run')).to.have.members([...distributedTables]);
      expect(await changed('--shards', '4')).to.have.members([...distributedTables]);
      expect(await changed()).to.deep.equal([]);
      const { code, stderr } = await distribute('--shards', '8');
      expect([code, stderr.includes('4 shards each')]).to.deep.equal([1, true]);
      expect(await changed('--undo', '--dry-run')).to.have.members([...distributedTables]);
      const { stdout } = await distribute('--undo');
      expect(stdout.trim().split('\n').length).to.equal(Object.keys(tables).length + 2);
      expect(await changed('--undo')).to.deep.equal([]);
    });
  });
});
