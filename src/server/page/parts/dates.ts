/** Days and times in words, in UTC. */

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const medium = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const long = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A day as `22 Nov`. */
export const day = (date: string): string => written(short, date);
/** A day as `22 November 2026`. */
export const longDay = (date: string): string => written(long, date);
/** A window as `24 Oct – 20 Nov 2026`. */
export const span = (start: string, end: string): string =>
  `${written(start.slice(0, 4) === end.slice(0, 4) ? short : medium, start)} – ${written(medium, end)}`;
/** A time as `22 Nov 2026, 09:54 UTC`. */
export const moment = (text: string): string => {
  const words = written(time, text);
  return words === text ? text : `${words} UTC`;
};

/** A text that is not a date is left as it is. */
function written(format: Intl.DateTimeFormat, text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : format.format(date);
}
