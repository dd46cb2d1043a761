import { copyFileSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../command-error.js';
import { replaceFile } from '../connection/replace-file.js';

/** The content of a configuration file; empty: it does not exist. */
export function readConfigFile(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const reason = code?.startsWith('ERR_ENCODING') ? 'it is not UTF-8' : (code ?? 'unknown reason');
    throw new CommandError('usage', `${file} cannot be read (${reason}). Nothing was written.`);
  }
}

/**
 * Replaces the content at once, with the rights that the file had, and keeps a copy next to it. A link stays a link.
 * @returns The copy; null: there was no file.
 */
export function writeConfigFile(file: string, content: string, now: Date): string | null {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const before = statSync(file, { throwIfNoEntry: false });
    const target = before ? realpathSync(file) : file;
    const backup = before ? `${target}.${now.toISOString().replace(/\W/g, '').slice(0, 15)}.bak` : null;
    if (backup) copyFileSync(target, backup);
    replaceFile(target, content, before && { mode: before.mode & 0o777 });
    return backup;
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new CommandError('unexpected', `${file} cannot be written (${code}).`);
  }
}

/** A configuration file that cannot be read, or that has something unexpected. */
export class ConfigSyntaxError extends Error {
  override readonly name = 'ConfigSyntaxError';
  /** From 1. */
  readonly line: number;

  constructor(text: string, at: number, reason: string) {
    super(reason);
    this.line = text.slice(0, at).split('\n').length;
  }
}

/** Keys that somebody wrote into a configuration are not shown. */
const masked = (line: string): string => line.replace(/svc_\w{4,}/g, 'svc_…');

/**
 * The lines that differ, with `-` and `+`, from the first to the last one that changed. Lines around them are not shown: they
 * may hold secrets of other servers.
 */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) =>
    text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/),
  );
  let start = 0;
  while (start < Math.min(old!.length, now!.length) && old![start] === now![start]) start++;
  let end = 0;
  const shorter = Math.min(old!.length, now!.length) - start;
  while (end < shorter && old!.at(-1 - end) === now!.at(-1 - end)) end++;
  const removed = old!.slice(start, old!.length - end);
  const added = now!.slice(start, now!.length - end);
  if (removed.length + added.length === 0) return [];
  const place = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`;
  return [place, ...removed.map((line) => `-${masked(line)}`), ...added.map((line) => `+${masked(line)}`)];
}
