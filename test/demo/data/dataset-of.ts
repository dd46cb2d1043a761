import { demoDataset } from '../../../src/demo/data/index.js';
import type { DatasetRecord, RecordOf, RecordType } from '../../../src/server/dataset/records/index.js';

export const NOW = new Date('2026-11-20T13:00:00Z');

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
