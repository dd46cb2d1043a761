/** The request line that access logs quote. */

export interface RequestLine {
  /** Empty: the line does not begin with a method. */
  readonly method: string;
  /** Empty: the line has no target. */
  readonly target: string;
}

const methodPattern = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const none: RequestLine = { method: '', target: '' };

/**
 * Returns method and target of `GET /path HTTP/1.1`, unescaped. If the last word is the protocol, the target is the
 * text between the first and the last space, else everything after the first space (HTTP/0.9). Both are empty for bytes
 * that are not HTTP: a TLS hello, an SSH banner, nothing.
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
