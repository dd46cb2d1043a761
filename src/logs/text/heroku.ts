/** Heroku's router: `… <time> host heroku router - at=info method=GET path="/" host=… status=200`. No user agent. */
import { type Entry, statusOf } from '../entry.js';
import { rfc3339Time } from '../time.js';

const head = /^(?:\d+ )?(?:<\d+>\d+ )?(\d{4}-\d\d-\d\dT\S+) (?:\S+ )?heroku(?: router -|\[router\]:)(?: -)? /;
const pair = /(?<=\s|^)([a-z_]+)=(?:"((?:\\.|[^"\\])*)"|(\S*))/g;

/** The entry of one line, null for a line in another format. The format has no user agent, so no agent matches. */
export function herokuEntry(line: string): Entry | null {
  const frame = head.exec(line);
  if (frame === null) return null;
  const fields = new Map<string, string>();
  for (const [, key = '', text, word] of line.slice(frame[0].length).matchAll(pair))
    fields.set(key, text ?? word ?? '');
  if (!fields.has('method') || !fields.has('path')) return null;
  const value = (key: string): string => fields.get(key) ?? '';
  return {
    time: rfc3339Time(frame[1] ?? ''),
    timeText: frame[1] ?? '',
    ip: value('fwd'),
    method: value('method'),
    target: value('path'),
    status: statusOf(value('status')),
    bytes: value('bytes'),
    userAgent: '',
    referer: '',
    host: value('host'),
    id: value('request_id'),
  };
}
