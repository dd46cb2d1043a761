import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { addDays, utcDay } from '../../../../src/server/base/days.js';
import { runsFrom } from '../../../server/alerts/moves/support/runs.js';
import { market } from '../../../server/intake/dataset/support/load.js';
import { serverUrl } from '../../../support/database.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, svc } from '../../support/run.js';

describe('svc admin moves preview', () => {
  const last = addDays(utcDay(new Date()), -1);
  let folder: string;
  let env: Environment;
  before(async function () {
    if (!serverUrl) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'svc-moves-'));
    env = await migratedDatabase(folder);
    const file = join(folder, 'data.ndjson');
    const runs = runsFrom(addDays(last, -40), last, { before: 12, after: 4, from: addDays(last, -15) });
    writeFileSync(file, [...market, ...runs].map((record) => JSON.stringify(record)).join('\n'));
    expect((await svc(['admin', 'import', file], env)).code).to.equal(0);
    return undefined;
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('prints what would have been told, and when; the same each time', async () => {
    const preview = ['admin', 'moves', 'preview', '--brand', 'b', '--days', '30', '--json'];
    const { stdout, code } = await svc(preview, env);
    expect(code).to.equal(0);
    const { moves } = JSON.parse(stdout) as { moves: { told_on: string; day: string; text: string }[] };
    const falls = moves.filter(({ text }) => text.startsWith('Presence fell'));
    expect(falls).to.have.length(1);
    expect(falls[0]!.told_on).to.equal(addDays(falls[0]!.day, 1));
    expect((await svc(preview, env)).stdout).to.equal(stdout);
    const table = await svc(preview.slice(0, -1), env);
    expect(table.stdout).to.include('Presence fell');
  });

  it('says that a brand does not exist, and which days it takes', async () => {
    const nobody = await svc(['admin', 'moves', 'preview', '--brand', 'nobody'], env);
    expect([nobody.code !== 0, nobody.stderr.includes('No brand nobody exists.')]).to.deep.equal([
      true,
      true,
    ]);
    expect((await svc(['admin', 'moves', 'preview', '--brand', 'b', '--days', '0'], env)).code).to.equal(2);
  });

  it('a key of a feed is of one brand, and of its workspace', async () => {
    const made = await svc(['admin', 'keys', 'create', '--kind', 'feed', '--brand', 'b', '--json'], env);
    expect(JSON.parse(made.stdout)).to.deep.include({ kind: 'feed', workspace: 'w', brands: ['b'] });
    const none = await svc(['admin', 'keys', 'create', '--kind', 'feed', '--workspace', 'w'], env);
    expect(none.code).to.equal(2);
    expect(none.stderr).to.include('A feed is about one brand: give --brand once');
    const nowhere = await svc(['admin', 'keys', 'create', '--kind', 'read'], env);
    expect(nowhere.code).to.equal(2);
    expect(nowhere.stderr).to.include('Give --workspace ID, or --brand ID');
  });
});
