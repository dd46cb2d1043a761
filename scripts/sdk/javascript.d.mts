type Entry = 'index' | 'browser' | 'common';

export function bundleSdk(
  root: string,
  names?: readonly Entry[],
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly packages: readonly string[] }>;
