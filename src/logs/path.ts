/** Computes the path under which a hit is stored. */

/** Longest stored path, in UTF-16 units. */
export const PATH_LIMIT = 2048;

const origin = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/**
 * The canonical path of a request target: without scheme, host, query and fragment; `/` when nothing is left;
 * percent-encoding, case and trailing slash kept, no dot segments resolved, at most PATH_LIMIT long. Null when the
 * target has no path (`*`, the authority of a CONNECT, an empty one).
 */
export function canonicalPath(target: string): string | null {
  const first = target.charCodeAt(0);
  let start = 0;
  if (first !== 47 && first !== 63 && first !== 35) {
    start = origin.exec(target)?.[0].length ?? -1;
    if (start === -1) return null;
  }
  const query = target.indexOf('?', start);
  const fragment = target.indexOf('#', start);
  let end = query === -1 ? target.length : query;
  if (fragment !== -1 && fragment < end) end = fragment;
  return end === start ? '/' : storable(target.slice(start, Math.min(end, start + PATH_LIMIT)));
}

/** Removes what a database refuses: U+0000, and half a surrogate pair, which the cut at the limit may leave. */
function storable(path: string): string {
  const whole = path.includes('\0') ? path.replaceAll('\0', '\ufffd') : path;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
}
