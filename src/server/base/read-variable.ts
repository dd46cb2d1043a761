/** Reads a variable by the rules of `readConfig`: undefined from `parse` is a fault. */
export type ReadVariable = <T>(
  name: string,
  fallback: T,
  expected: string,
  parse: (value: string) => T | undefined,
) => T;
