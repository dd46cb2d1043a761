/** Opens Postgres embedded in this process (PGlite), in memory or in a folder. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { embeddedFailure } from './data-folder.js';
import { preparedCluster } from './prepared-cluster.js';

/**
 * Opens the database of the folder, which is made if it does not exist; an undefined folder means one in memory.
 * @throws DataFolderError if the folder cannot be written.
 */
export async function openPglite(folder: string | undefined): Promise<PGlite> {
  optimiseWebAssembly();
  const { PGlite } = await import('@electric-sql/pglite');
  try {
    if (folder === undefined) return await create(PGlite, 'memory://');
    const data = join(folder, 'postgres');
    if (!existsSync(data)) await makeCluster(PGlite, data);
    return await PGlite.create(data);
  } catch (error) {
    throw embeddedFailure(folder ?? 'memory', error);
  }
}

const create = async (Pglite: typeof PGlite, dataDir: string): Promise<PGlite> => {
  const loadDataDir = await preparedCluster();
  return Pglite.create({ dataDir, ...(loadDataDir && { loadDataDir }) });
};

/** Under another name until it is complete: a process that is killed meanwhile leaves no database that cannot be opened. */
async function makeCluster(Pglite: typeof PGlite, data: string): Promise<void> {
  const draft = `${data}.new`;
  await rm(draft, { recursive: true, force: true });
  await (await create(Pglite, draft)).close();
  await rename(draft, data);
}

/** The default of Node, which the command svc disables because its short commands end before optimised code runs. */
function optimiseWebAssembly(): void {
  setFlagsFromString('--wasm-tier-up');
  setFlagsFromString('--wasm-dynamic-tiering');
}
