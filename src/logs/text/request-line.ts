/** The request line that access logs quote. */

export interface RequestLine {
  /** Empty when the line does not begin with a method. */
  readonly method: string;
  /** Empty without a target. */
  readonly target: string;
}

const methodPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const none: RequestLine = { method: '', target: '' };

/**
 * Method and target of `GET /path HTTP/1.1`, unescaped. The target is all between the first and the last space when
 * the last word names the protocol, else all after the first space (HTTP/0.9). Bytes of clients that do not speak
 * HTTP (a TLS hello, an SSH banner, nothing) have neither.
 */
export function parseRequestLine(line: string): RequestLine {
  const first = line.indexOf(' ');
  if (first === -1) return none;
  const method = line.slice(0, first);
  if (method !== 'GET' && !methodPattern.test(method)) return none;
  const last = line.lastIndexOf(' ');
  const end = last > first && line.startsWith('HTTP/', last + 1) ? last : line.length;
  const target = line.slice(first + 1, end);
  return { method, target: target.startsWith(' ') || target.endsWith(' ') ? target.trim() : target };
}
