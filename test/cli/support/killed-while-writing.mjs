/** Loaded by a process: it is killed at the step of KILL_AT while it writes a svc.toml and what follows from it. */
import fs from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const { KILL_AT } = process.env;
const { open, rename } = fs;
const isDraft = (path) => String(path).endsWith('.svc.toml.new');
const die = () => process.kill(process.pid, 'SIGKILL');
let isWritten = false;

fs.open = async (path, ...rest) => {
  const file = await open(path, ...rest);
  if (isDraft(path) && KILL_AT === 'drafting')
    file.writeFile = async (bytes) => {
      await file.write(bytes.subarray(0, bytes.length / 2));
      await file.sync();
      die();
    };
  return file;
};

fs.rename = async (from, to) => {
  if (!isDraft(from)) return rename(from, to);
  if (KILL_AT === 'renaming') die();
  await rename(from, to);
  isWritten = true;
  if (KILL_AT === 'renamed') die();
  return undefined;
};
syncBuiltinESMExports();

const { Client } = createRequire(import.meta.url)('pg');
const { query } = Client.prototype;
Client.prototype.query = function (...args) {
  const text = String(args[0]?.text ?? args[0]);
  if (isWritten && KILL_AT === 'committing' && /^commit/i.test(text)) die();
  if (isWritten && KILL_AT === 'listing' && text.includes('into plan_changes')) die();
  return query.apply(this, args);
};
