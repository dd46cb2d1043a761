/** Collects the declarations of the SDK that tsc has written. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A module in an import of a declaration file, as tsc writes it. */
const IMPORTED = /(?<=\bfrom '|\bimport\(")(\.[^'"]+)\.js(?=['"])/g;

/**
 * The declarations that a user of the entry point needs, for ES modules (.d.ts) and for CommonJS (.d.cts). TypeScript
 * takes each file for one of both kinds, so CommonJS has its own copy.
 * @param {string} folder The compiled src/sdk.
 * @returns {Record<string, string>} Texts by path in the folder.
 * @throws Error if a declaration is needed that is not in the folder, because the package does not contain it.
 */
export function declarationsOf(folder) {
  const files = {};
  const add = (name) => {
    if (`${name}.d.ts` in files) return;
    if (name.startsWith('..'))
      throw new Error(`The declarations of the SDK need ${name}, outside of src/sdk.`);
    const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8');
    files[`${name}.d.ts`] = text;
    files[`${name}.d.cts`] = text.replaceAll(IMPORTED, '$1.cjs');
    for (const [, path] of text.matchAll(IMPORTED)) add(posix.join(posix.dirname(name), path));
  };
  add('index');
  return files;
}
