import type { Window } from './days.js';
import { dayOf, isWithin } from './days.js';
import { isBlended } from './engines.js';
import type { DatasetRecord, RunRecord } from './records.js';
import { recordsOfBrand } from './records.js';

/** The brand's runs of a window on all ten engines. */
export function runsWithin(records: DatasetRecord[], brand: string, window: Window): RunRecord[] {
  return recordsOfBrand(records, 'run', brand).filter((run) => isWithin(window, dayOf(run.collected_at)));
}

/** The brand's runs of a window on the eight search-grounded engines. */
export function blendedRuns(records: DatasetRecord[], brand: string, window: Window): RunRecord[] {
  return runsWithin(records, brand, window).filter((run) => isBlended(run.engine));
}

/** The newest day, null without days. */
export function newestDay(days: string[]): string | null {
  return days.reduce<string | null>((newest, day) => (newest === null || day > newest ? day : newest), null);
}
