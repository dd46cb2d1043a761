/**
 * An initialised, empty database folder, made by the build. Unpacking it takes a third of the processor time and half of
 * the memory that initdb takes in WebAssembly.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the installed package, whose exports do not name its package.json. */
const pglite = dirname(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))));
const { version } = JSON.parse(readFileSync(join(pglite, 'package.json'), 'utf8')) as { version: string };

/** Another version of the embedded database may need other files. */
const name = `cluster-${version}.tar.gz`;

/** Where scripts keep it between builds, and where a server that runs from its sources finds it. */
export const clusterCache: string = join(dirname(dirname(pglite)), '.cache', 'answer-visibility', name);

/** Where the build puts it. */
export const clusterOfBuild = (folder: string): string => join(folder, name);

/** The prepared cluster; undefined: none was made for the installed version, so initdb must run. */
export async function preparedCluster(): Promise<Blob | undefined> {
  const file = [clusterOfBuild(import.meta.dirname), clusterCache].find(existsSync);
  return file === undefined ? undefined : new Blob([await readFile(file)], { type: 'application/x-gzip' });
}
