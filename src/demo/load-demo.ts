/** Loads the demo's data up to today. */
import type { Knex } from 'knex';
import { importRecords } from '../server/dataset/import.js';
import { utcDay } from '../server/days.js';
import { demoDataset } from './data/index.js';
import { demoDay, markDemoDay } from './demo-folder.js';

/** Loads the data set unless it is up to date. `onProgress` gets the number of records loaded so far. */
export async function loadDemo(
  db: Knex,
  folder: string,
  now: Date,
  onProgress: (records: number) => void,
): Promise<void> {
  const today = utcDay(now);
  if ((await demoDay(folder)) === today) return;
  await importRecords(db, demoDataset(now), { now, onProgress: ({ records }) => onProgress(records) });
  await markDemoDay(folder, today);
}
