/** Writes the name of every module that the process loads to file descriptor 3, by a loader hook and at exit. */
import { writeSync } from 'node:fs';
import Module, { register } from 'node:module';

// The hook runs in a thread of its own.
const hook = `
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(3, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

// What CommonJS modules require passes by the hook.
process.on('exit', () => {
  for (const path of Object.keys(Module._cache)) writeSync(3, `${path}\n`);
});
