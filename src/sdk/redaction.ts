const HIDDEN = '[redacted]';
/** Deeper causes add no information; the limit also ends cycles. */
const DEEPEST_CAUSE = 4;

/** A function that replaces the key everywhere in a text: plain, as JSON and as part of a URL. */
export function redactor(key: string): (text: string) => string {
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

/**
 * A copy of a foreign error that holds its name, message, code, stack and causes and nothing else: the original
 * may carry the request, and with it the Authorization header.
 */
export function safeCause(error: unknown, redact: (text: string) => string, depth = 1): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)));
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  const nested =
    cause === undefined || depth === DEEPEST_CAUSE ? {} : { cause: safeCause(cause, redact, depth + 1) };
  const copy = new Error(redact(error.message), nested);
  copy.name = redact(error.name);
  copy.stack = redact(error.stack ?? '');
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
}
