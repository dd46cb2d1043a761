import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { market } from '../../../server/intake/dataset/support/load.js';
import { serverUrl } from '../../../support/database.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, svc } from '../../support/run.js';

describe('svc admin marks', () => {
  let folder: string;
  let env: Environment;
  before(async function () {
    if (!serverUrl) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'svc-marks-'));
    env = await migratedDatabase(folder);
    const file = join(folder, 'data.ndjson');
    writeFileSync(file, market.map((record) => JSON.stringify(record)).join('\n'));
    expect((await svc(['admin', 'import', file], env)).code).to.equal(0);
    return undefined;
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  const marks = (...args: string[]) => svc(['admin', 'marks', ...args], env);
  const listed = async () => JSON.parse((await marks('list', '--json')).stdout).marks as { id: string }[];

  it('adds a mark, replaces it under its id, lists it and removes it', async () => {
    const added = await marks('add', 'Guide published', '--day', '2026-11-12', '--brand', 'b', '--json');
    expect([added.code, added.stderr]).to.deep.equal([0, '']);
    const { id } = JSON.parse(added.stdout) as { id: string };
    await marks('add', 'Guide rewritten', '--id', id, '--day', '2026-11-13', '--brand', 'b');
    const [mark, ...others] = await listed();
    expect(mark).to.deep.include({ id, brand: 'b', day: '2026-11-13', text: 'Guide rewritten' });
    expect(others).to.deep.equal([]);
    expect((await marks('remove', id, '--brand', 'b')).stdout).to.equal(`Mark ${id} is removed.\n`);
    expect(await listed()).to.deep.equal([]);
  });

  it('refuses what no mark can be, and stores nothing', async () => {
    const unknown = await marks('add', 'Guide', '--brand', 'b', '--prompt', 'nowhere');
    expect([unknown.code === 0, unknown.stderr.includes('nowhere')]).to.deep.equal([false, true]);
    const nobody = await marks('add', 'Guide', '--brand', 'nobody');
    expect([nobody.code === 0, nobody.stderr.includes('nobody')]).to.deep.equal([false, true]);
    expect((await marks('add', 'Guide', '--brand', 'b', '--day', 'soon')).code).to.equal(2);
    expect((await marks('remove', 'nowhere', '--brand', 'b')).stderr).to.include('No mark nowhere exists.');
    expect(await listed()).to.deep.equal([]);
  });
});
