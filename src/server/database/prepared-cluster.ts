/**
 * A database folder with the schema of this version and no rows, made by the build. Unpacking it takes a quarter of the
 * processor time that initdb and the migrations take in WebAssembly.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the installed package, whose exports do not name its package.json. */
const pglite = dirname(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))));
const { version } = JSON.parse(readFileSync(join(pglite, 'package.json'), 'utf8')) as { version: string };

/**
 * Where scripts keep it between builds, and where a server that runs from its sources finds it. Another version of the
 * embedded database may need other files, and other migrations make another schema: both are part of the name.
 */
export function clusterCache(migrations: string = join(dirname(import.meta.dirname), 'migrations')): string {
  const text = createHash('sha256').update(version);
  for (const file of readdirSync(migrations).sort())
    text.update(file).update(readFileSync(join(migrations, file)));
  const name = `cluster-${version}-${text.digest('hex').slice(0, 16)}.tar.gz`;
  return join(dirname(dirname(pglite)), '.cache', 'answer-visibility', name);
}

/** Where the build puts it. */
export const clusterOfBuild = (folder: string): string => join(folder, `cluster-${version}.tar.gz`);

/** The prepared cluster; undefined: none was made for this version, so initdb and the migrations must run. */
export async function preparedCluster(): Promise<Blob | undefined> {
  const built = clusterOfBuild(import.meta.dirname);
  const file = existsSync(built) ? built : clusterCache();
  return existsSync(file) ? new Blob([await readFile(file)], { type: 'application/x-gzip' }) : undefined;
}
