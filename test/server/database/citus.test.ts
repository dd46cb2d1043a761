import { expect } from 'chai';
import {
  clusterOf,
  distribute,
  distributedTables,
  requireCluster,
  undistribute,
} from '../../../src/server/database/citus.js';
import { type Database, migrate, openDatabase } from '../../../src/server/database/database.js';
import { exportDataset } from '../../../src/server/intake/dataset/export.js';
import { citusWorkers } from '../../support/citus.js';
import { createDatabaseUrl, emptyDatabase, serverUrl } from '../../support/database.js';
import { everyType } from '../intake/dataset/support/all-types.js';
import { load } from '../intake/dataset/support/load.js';

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'not refused',
    (error: Error) => `${error.name}: ${error.message}`,
  );

async function exported(database: Database): Promise<string> {
  const lines: string[] = [];
  for await (const record of exportDataset(database.knex)) lines.push(JSON.stringify(record));
  return lines.join('\n');
}

describe('distribution: what is refused', () => {
  const node = { host: 'worker', port: 5432 };
  const refusal = (...args: Parameters<typeof requireCluster>) =>
    refusalOf((async () => requireCluster(...args))());

  it('a database without Citus, which stays as it is', async function () {
    if (citusWorkers.length > 0) this.skip();
    const database = await emptyDatabase();
    expect(await clusterOf(database.knex)).to.equal(null);
    expect(await refusalOf(distribute(database.knex, undefined))).to.match(
      /^ExpectedError: The database has no Citus extension\..*`create extension citus`/,
    );
    expect(await undistribute(database.knex)).to.deep.equal({ changed: [], warnings: [] });
    expect(await migrate(database.knex)).to.deep.equal([]);
    await database.close();
  });

  it('a cluster without a node for shards', async () => {
    const cluster = { nodes: [], distributed: new Set<string>(), shards: null };
    expect(await refusal(cluster, undefined)).to.match(
      /No node of the cluster takes shards\..*citus_add_node/,
    );
  });

  it('another number of shards than there are', async () => {
    const cluster = { nodes: [node], distributed: new Set(['runs']), shards: 32 };
    expect(await refusal(cluster, 64)).to.include('have 32 shards each');
    expect(requireCluster(cluster, 32)).to.equal(cluster);
    expect(requireCluster(cluster, undefined)).to.equal(cluster);
    expect(requireCluster({ ...cluster, distributed: new Set(), shards: null }, 64)).to.be.an('object');
  });
});

describe('distribution: on a cluster', () => {
  let database: Database;
  before(async function () {
    if (citusWorkers.length === 0 || !serverUrl) return this.skip();
    database = await openDatabase({ url: await createDatabaseUrl(serverUrl) });
    await migrate(database.knex);
    await load(database.knex, everyType);
  });
  after(() => database?.close());

  const distributed = async () => [...((await clusterOf(database.knex))?.distributed ?? [])].sort();
  const everyDistributed = [...distributedTables].sort();

  it('moves the rows of a filled database, once, and back', async () => {
    const before = await exported(database);
    const { changed, warnings } = await distribute(database.knex, 4);
    expect([[...changed].sort(), warnings]).to.deep.equal([everyDistributed, []]);
    expect(await distributed()).to.deep.equal(everyDistributed);
    expect((await clusterOf(database.knex))?.shards).to.equal(4);
    expect(await exported(database)).to.equal(before);
    expect(await distribute(database.knex, undefined)).to.deep.equal({ changed: [], warnings: [] });
    expect((await undistribute(database.knex)).changed).to.have.members(everyDistributed);
    expect(await distributed()).to.deep.equal([]);
    expect(await exported(database)).to.equal(before);
  });

  it('leaves no hidden copy of the rows on the coordinator', async () => {
    await distribute(database.knex, 4);
    const { rows } = await database.knex.raw(
      'select name from unnest(cast(? as text[])) as t(name) where pg_relation_size(name::regclass) > 0',
      [[...distributedTables]],
    );
    expect(rows).to.deep.equal([]);
  });

  it('takes the tables of later migrations with it', async () => {
    await distribute(database.knex, 4);
    await database.knex.raw("select undistribute_table('topics')");
    expect(await migrate(database.knex)).to.deep.equal([]);
    expect(await distributed()).to.deep.equal(everyDistributed);
  });

  it('refuses tables that are not colocated, and names them', async () => {
    await distribute(database.knex, 4);
    await database.knex.raw("select undistribute_table('topics')");
    await database.knex.raw(
      "select create_distributed_table('topics', 'brand_key', colocate_with => 'none')",
    );
    expect(await refusalOf(distribute(database.knex, 4))).to.include('and topics are distributed, but not');
    await database.knex.raw("select undistribute_table('topics')");
  });
});
