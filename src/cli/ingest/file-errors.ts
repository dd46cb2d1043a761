import { CommandError } from '../command-error.js';

const reasons: { readonly [code: string]: (path: string) => string } = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder: name the files in it.`,
  EACCES: (path) => `${path}: permission denied.`,
  EPERM: (path) => `${path}: permission denied.`,
  ESPIPE: (path) => `${path} is no regular file, which --follow needs.`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full.`,
};

/** The error of an operation on a file in words that name it; any other error as it is. */
export function fileError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof syscall !== 'string' || code === undefined) return error;
  return new CommandError('usage', reasons[code]?.(path) ?? `${path} cannot be used (${code}).`);
}
