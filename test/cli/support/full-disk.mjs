/** Loaded by a process: the copy of an embedded database finds no space for a further file of its log of changes. */
import fs from 'node:fs';

const full = new Set();
const { openSync, writeSync } = fs;

fs.openSync = (path, ...options) => {
  const fd = openSync(path, ...options);
  if (/postgres\.copy\..*xlogtemp/.test(path)) full.add(fd);
  else full.delete(fd);
  return fd;
};

fs.writeSync = (fd, ...written) => {
  if (full.has(fd))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  return writeSync(fd, ...written);
};
