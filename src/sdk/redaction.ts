const HIDDEN = '[redacted]';
/** Deeper causes are dropped, which also ends cycles. */
const DEEPEST_CAUSE = 4;

/** Returns a function that replaces the key everywhere in a text: plain, in JSON and in a URL. */
export function redactor(key: string): (text: string) => string {
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

/**
 * Copies only name, message, code, stack and causes of an error, because the original may contain the request with its
 * Authorization header.
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
