/** Parses JSON text that may be invalid. */

/**
 * Returns the value of a JSON text; undefined: the text is not JSON. Errors are created without a stack, because a log
 * may have a million invalid lines and recording a stack costs ten times the parsing.
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
