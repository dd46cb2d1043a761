import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openPglite } from '../../../src/server/database/embedded.js';
import { preparedCluster } from '../../../src/server/database/prepared-cluster.js';

describe('the folder of an embedded database', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made from the prepared cluster, and keeps its data', async () => {
    expect(await preparedCluster()).to.be.instanceOf(Blob);
    const first = await openPglite(folder);
    await first.exec('create table kept (n int); insert into kept values (1)');
    await first.close();
    const second = await openPglite(folder);
    expect((await second.query('select n from kept')).rows).to.deep.equal([{ n: 1 }]);
    await second.close();
  });

  it('is made again if a process was killed while it made it', async () => {
    const draft = join(folder, 'postgres.new');
    mkdirSync(join(draft, 'base'), { recursive: true });
    writeFileSync(join(draft, 'PG_VERSION'), '18\n');
    const database = await openPglite(folder);
    expect((await database.query('select 1 as n')).rows).to.deep.equal([{ n: 1 }]);
    await database.close();
    expect(existsSync(draft)).to.equal(false);
  });
});
