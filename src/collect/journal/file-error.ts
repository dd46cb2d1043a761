import { DataFolderError } from '../../server/database/data-folder.js';

/** A file of the collection cannot be read or written. */
export class CollectFileError extends Error {
  override readonly name: string = 'CollectFileError';

  constructor(path: string, reason: string) {
    super(`${path} cannot be used (${reason}).`);
  }
}

/** The path itself is wrong: a folder, or a place without the right to write. */
export class CollectPathError extends CollectFileError {
  override readonly name = 'CollectPathError';
}

const WRONG_PATH = [
  'EISDIR',
  'ENOTDIR',
  'ENOENT',
  'EEXIST',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENAMETOOLONG',
  'ELOOP',
];

const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The error for a failure of the file system. */
export function fileErrorOf(path: string, error: unknown): CollectFileError {
  if (error instanceof DataFolderError) return new CollectPathError(error.folder, error.reason);
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (WRONG_PATH.includes(code)) return new CollectPathError(path, code);
  return new CollectFileError(path, NO_SPACE.includes(code) ? `no space is left: ${code}` : code);
}
