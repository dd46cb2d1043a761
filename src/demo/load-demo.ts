/** Loads the demo's data up to today. */
import type { Knex } from 'knex';
import { importRecords } from '../server/dataset/import.js';
import type { DatasetRecord } from '../server/dataset/records/index.js';
import { utcDay } from '../server/days.js';
import { demoDataset } from './data/index.js';
import { demoDay, markDemoDay } from './demo-folder.js';

/**
 * Loads the data set unless it is up to date. `onProgress` gets the number of records loaded so far.
 * @param dataset makes the records as of a moment; absent: the whole demo.
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
  await importRecords(db, dataset(now), { now, onProgress: ({ records }) => onProgress(records) });
  await markDemoDay(folder, today);
}
