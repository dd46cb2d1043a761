import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Options {
  readonly mode?: number;
  /** Whether it waits until the content is on disk. */
  readonly flush?: boolean;
}

/**
 * Replaces a file at once: it is never incomplete, and stays as it was if this fails. Creates its folder. By default only
 * the user can read it.
 */
export function replaceFile(
  path: string,
  content: string,
  { mode = 0o600, flush = false }: Options = {},
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode, flush });
    // The draft of a process that was killed may have other rights.
    chmodSync(draft, mode);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
