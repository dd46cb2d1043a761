/** The files of swagger-ui that the page loads. The build copies them, so that the package does not depend on it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = join(import.meta.dirname, 'assets');

/**
 * The content of a file of swagger-ui: the copy of the build, or the installed one when the server runs from its sources.
 * @throws If it is at neither place.
 */
export function asset(name: string): Buffer {
  const copy = join(built, name);
  if (existsSync(copy)) return readFileSync(copy);
  const installed = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  return readFileSync(join(installed, name));
}
