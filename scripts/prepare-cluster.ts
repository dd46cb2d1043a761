/**
 * Makes the initialised database folder that embedded databases start from, once for each version of PGlite, in a cache
 * below node_modules; copies it to the folder of the argument.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { clusterCache, clusterOfBuild } from '../src/server/database/prepared-cluster.js';

if (!existsSync(clusterCache)) {
  const database = await PGlite.create();
  const archive = await database.dumpDataDir('gzip');
  await database.close();
  mkdirSync(dirname(clusterCache), { recursive: true });
  // Renamed, because two processes may make it at the same time.
  const draft = `${clusterCache}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await archive.arrayBuffer()));
  renameSync(draft, clusterCache);
}
const [folder] = process.argv.slice(2);
if (folder) copyFileSync(clusterCache, clusterOfBuild(folder));
