/** The demo's folder, which a marker file identifies. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder, makeFolder } from '../server/database/data-folder.js';

const MARKER = 'svc-demo.json';

/** The folder was not made by the demo, so it is not emptied. */
export class NotADemoError extends Error {
  constructor(folder: string) {
    super(`${folder} was not made by the demo, so --reset does not delete it.`);
    this.name = 'NotADemoError';
  }
}

interface Marker {
  /** The last UTC day of the data. */
  readonly day: string;
}

/** The last day of the demo's data; null: it has no data. */
export async function demoDay(folder: string): Promise<string | null> {
  try {
    return (JSON.parse(await readFile(join(folder, MARKER), 'utf8')) as Marker).day;
  } catch {
    return null;
  }
}

/** Notes the last day of the demo's data. */
export async function markDemoDay(folder: string, day: string): Promise<void> {
  await writeFile(join(folder, MARKER), `${JSON.stringify({ day } satisfies Marker)}\n`);
}

/** Creates the folder together with its marker file. */
export async function claimDemoFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const isNew = (await readdir(folder)).length === 0;
  if (isNew) await markDemoDay(folder, '');
}

/**
 * Empties the demo's folder.
 * @throws FolderInUseError while a process serves from it.
 * @throws NotADemoError for a folder that the demo did not make.
 */
export async function resetDemoFolder(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) return;
  if ((await demoDay(folder)) === null) throw new NotADemoError(folder);
  // Taking the lock first proves that no process serves from it.
  await lockFolder(folder);
  await rm(folder, { recursive: true });
}
