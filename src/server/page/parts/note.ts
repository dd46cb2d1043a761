/** Notes of the API in the words of the page, whose readers know no fields and send no requests. */
import { STATISTICS_READ } from '../../../contract/slice.js';
import { longDay } from './dates.js';

/** Sentences about what the page does not show: the trend of a history, and how to read the fields of sentiment. */
const LEFT_OUT =
  /No trend.*?(?:in the window before\.|live run horizon \([^)]*\)\.)|A single day has no trend\.|sentiment_index is 50.*/g;

/** @returns Null if nothing is left. */
export const inPageTerms = (note: string | null): string | null =>
  note
    ?.replace(LEFT_OUT, '')
    .replace('The slice selected no answer', 'No answer was collected')
    .replace(/ in this (?:scope|slice)\b/, ' from these engines')
    .replace(STATISTICS_READ, 'the chart by day')
    .replace(
      'so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.',
      'so requests are not measured. Whoever operates the site can send its logs to this server.',
    )
    .replace('so zero hits may be missing data', 'so zero requests may be missing logs')
    .replace('so verdicts are null', 'so what it allows is not known')
    .replace(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, (date) => longDay(date))
    .trim() || null;
