/** UTC days and windows in the words of people, on every face for them. What is not a date is left as it is. */

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC', ...options });
const short = format({});
const medium = format({ year: 'numeric' });
const time = format({ year: 'numeric', hour: '2-digit', minute: '2-digit' });

function written(format: Intl.DateTimeFormat, text: string): string {
  const date = new Date(text);
  // The short name that ICU has for September has four letters.
  return Number.isNaN(date.getTime()) ? text : format.format(date).replace('Sept', 'Sep');
}

/** A day as `22 Nov`. */
export const day = (date: string): string => written(short, date);
/** A day as `22 Nov 2026`. */
export const longDay = (date: string): string => written(medium, date);
/** A window as `24 Oct – 20 Nov 2026`; of one day, the day. */
export function span(start: string, end: string): string {
  if (start === end) return longDay(end);
  const isOneYear = start.slice(0, 4) === end.slice(0, 4);
  return `${isOneYear ? day(start) : longDay(start)} – ${longDay(end)}`;
}
/** A time as `22 Nov 2026, 09:54 UTC`. */
export const moment = (text: string): string => {
  const words = written(time, text);
  return words === text ? text : `${words} UTC`;
};
