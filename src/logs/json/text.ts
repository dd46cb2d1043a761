/** JSON text that may be broken. */

/**
 * The value of a JSON text, undefined when the text is not JSON. A log may hold a million broken lines: the stack that
 * every error would record costs ten times the parsing, so errors are made without a stack.
 */
export function parseJson(text: string): unknown {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = limit;
  }
}
