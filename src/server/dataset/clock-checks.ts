/** What is wrong with the times of a record, by the clock: what lies ahead was not observed. */
import { utcDay } from '../days.js';
import type { DatasetRecord } from './records/index.js';
import { isInsideHorizon } from './writers/observed.js';

const DAY_MS = 86_400_000;

export interface ClockProblem {
  readonly field: string;
  readonly message: string;
}

/** Null: nothing is wrong. */
export function clockProblem(record: DatasetRecord, now: Date): ClockProblem | null {
  switch (record.type) {
    case 'run':
      return ahead('collected_at', record.collected_at, now);
    case 'crawler_event':
      return ahead('time', record.time, now);
    case 'brand':
      return record.last_event_at == null ? null : ahead('last_event_at', record.last_event_at, now);
    case 'daily_stat':
      return insideHorizon(record.date, now);
    default:
      return null;
  }
}

function ahead(field: string, time: string, now: Date): ClockProblem | null {
  if (Date.parse(time) <= now.getTime() + DAY_MS) return null;
  return { field, message: `expected at most 24 h from now, got ${time}` };
}

function insideHorizon(date: string, now: Date): ClockProblem | null {
  if (!isInsideHorizon(date, now)) return null;
  const message = `expected a day older than the 56 that end today (${utcDay(now)}), got ${date}`;
  return { field: 'date', message };
}
