/** Checks the times of a record against the clock: a time in the future was not observed. */
import { LIVE_HORIZON_DAYS } from '../../contract/limits.js';
import { DAY_MS, liveSince, utcDay } from '../days.js';
import type { DatasetRecord } from './records/index.js';

export interface ClockProblem {
  readonly field: string;
  readonly message: string;
}

/** The problem with the times of a record; null: they are valid. */
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

/** daily_stat records are only for days that runs no longer cover. */
function insideHorizon(date: string, now: Date): ClockProblem | null {
  if (date < liveSince(utcDay(now))) return null;
  const message = `expected a day older than the ${LIVE_HORIZON_DAYS} that end today (${utcDay(now)}), got ${date}`;
  return { field: 'date', message };
}
