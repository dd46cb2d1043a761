import { CommandError, type FailureKind } from '../failure/command-error.js';

const unreadable: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder: name the files in it.`,
  EACCES: (path) => `${path} cannot be read: permission denied.`,
  EPERM: (path) => `${path} cannot be read: permission denied.`,
  ESPIPE: (path) => `${path} is not a regular file, which --follow needs.`,
};

/** The error of reading a file as a message with its path; any other error unchanged. */
export function readError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof syscall !== 'string' || code === undefined) return error;
  return new CommandError('usage', unreadable[code]?.(path) ?? `${path} cannot be read (${code}).`);
}

const unwritable: { readonly [code: string]: string } = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The error of writing a file as a message with its path. */
export function writeError(path: string, error: unknown, kind: FailureKind = 'usage'): CommandError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return new CommandError(kind, `${path} cannot be written: ${unwritable[code] ?? code}.`);
}
