import { type DemoDays, demoDataset } from '../../../src/demo/data/index.js';
import type {
  DatasetRecord,
  RecordOf,
  RecordType,
} from '../../../src/server/intake/dataset/records/index.js';
import type { Run } from '../../../src/server/intake/dataset/records/run.js';

export const NOW = new Date('2026-11-20T13:00:00Z');

/** No records but those of the catalog, of sites and of runs. */
const ONLY_RUNS: DemoDays = {
  runs: 60,
  archivedRuns: 40,
  dailyStats: 0,
  crawlers: 0,
  visits: 0,
  offsite: 0,
};
/** The runs of the demo as of a moment, without the daily statistics, whose computation takes as long. */
export const runsAsOf = (now: Date): Run[] =>
  [...demoDataset(now, ONLY_RUNS)].filter((record) => record.type === 'run');

/** Few days, which still have records of every kind. */
const FEW_DAYS: DemoDays = { runs: 4, archivedRuns: 2, dailyStats: 2, crawlers: 2, visits: 2, offsite: 14 };
/** The newest records of the demo: what the whole demo holds, in little time. */
export const shortDataset = (now: Date): Iterable<DatasetRecord> => demoDataset(now, FEW_DAYS);

const made = new Map<number, DatasetRecord[]>();
/** The demo data as of a moment, cached. */
export function datasetOf(now: Date): DatasetRecord[] {
  const known = made.get(now.getTime()) ?? [...demoDataset(now)];
  made.set(now.getTime(), known);
  return known;
}

export function recordsOf<T extends RecordType>(type: T, now = NOW): RecordOf<T>[] {
  return datasetOf(now).filter(
    (record): record is Extract<DatasetRecord, { type: T }> => record.type === type,
  ) as RecordOf<T>[];
}
