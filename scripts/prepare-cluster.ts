/**
 * Makes the database folder with schema and without rows that embedded databases start from, once for each version of PGlite and of the
 * migrations, in a cache below node_modules; copies it to the folder of the argument.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { clusterCache, clusterOfBuild, openPglite } from '../src/server/database/embedded.js';
import { prepareSchema } from '../src/server/database/schema-state.js';

async function migratedCluster(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  try {
    const database = await openDatabase({ folder });
    await migrate(database.knex);
    await prepareSchema(database.knex);
    await database.close();
    const pglite = await openPglite(folder);
    const archive = await pglite.dumpDataDir('gzip');
    await pglite.close();
    return Buffer.from(await archive.arrayBuffer());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cache = clusterCache();
if (!existsSync(cache)) {
  mkdirSync(dirname(cache), { recursive: true });
  // Renamed, because two processes may make it at the same time.
  const draft = `${cache}.${process.pid}`;
  writeFileSync(draft, await migratedCluster());
  renameSync(draft, cache);
}
const [folder] = process.argv.slice(2);
if (folder) copyFileSync(cache, clusterOfBuild(folder));
