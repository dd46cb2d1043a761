/** The free space of a disk. */
import { statfs } from 'node:fs/promises';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Bytes in words: `2.8 GiB`, `140 MiB`. */
export const bytesInWords = (bytes: number): string =>
  bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`;

/** The free bytes for a user that is not root; undefined if the folder is not on this machine. */
export const freeBytes = (folder: string): Promise<number | undefined> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
