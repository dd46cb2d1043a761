/** The demo's folder, its data up to today, and its key. */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { ExpectedError } from '../contract/failure.js';
import { keyOfThisMachine } from '../server/accounts/keys.js';
import { tellMovesOfRuns } from '../server/alerts/moves/tell.js';
import { utcDay } from '../server/base/days.js';
import { lockFolder, makeFolder } from '../server/database/data-folder.js';
import { importRecords } from '../server/intake/dataset/import.js';
import type { DatasetRecord } from '../server/intake/dataset/records/index.js';
import { demoDataset, demoWorkspaceId } from './data/index.js';

/**
 * Loads the data set unless it is up to date. `onProgress` gets the number of records loaded so far.
 * @param dataset Makes the records as of a moment; if omitted, those of the whole demo.
 */
export async function loadDemo(
  db: Knex,
  folder: string,
  now: Date,
  onProgress: (records: number) => void,
  dataset: (now: Date) => Iterable<DatasetRecord> = demoDataset,
): Promise<void> {
  const today = utcDay(now);
  if ((await demoDay(folder)) === today) return;
  await importRecords(db, dataset(now), {
    now,
    afterDays: tellMovesOfRuns,
    onProgress: ({ records }) => onProgress(records),
  });
  await markDemoDay(folder, today);
}

// The demo's folder, which a marker file identifies.

const MARKER = 'svc-demo.json';

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
 * @throws ExpectedError for a folder that the demo did not make.
 */
export async function resetDemoFolder(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  if (files.length === 0) return;
  if ((await demoDay(folder)) === null) {
    const message = `${folder} was not made by the demo, so --reset does not delete it.`;
    throw new ExpectedError('unexpected', message);
  }
  // Taking the lock first proves that no process serves from it.
  await lockFolder(folder);
  await rm(folder, { recursive: true });
}

/** A full key of the demo workspace, created on this machine. */
export const demoKey = (db: Knex, remembered: readonly string[], now: Date): Promise<string> =>
  keyOfThisMachine(db, remembered, { workspace: demoWorkspaceId, name: 'demo' }, now);
