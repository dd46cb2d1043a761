/** Writes the committed files that are derived from src/contract, from the demo and from simulations; or only those named. */
import { readFileSync, writeFileSync } from 'node:fs';
import { migrate, openDatabase } from '../../src/server/database/database.js';
import { apiDocs } from './api-docs.js';
import { intervalsPicture } from './intervals-picture.js';
import { metricsDocs } from './metrics-docs.js';
import { schemaNames } from './schema-names.js';
import { sdkTypes } from './sdk-types.js';

const root = new URL('../../', import.meta.url);

const files: readonly [path: string, text: () => string | Promise<string>][] = [
  ['src/sdk/types.ts', sdkTypes],
  ['docs/api.md', () => apiDocs(readFileSync(new URL('docs/api.md', root), 'utf8'))],
  ['docs/metrics.md', () => metricsDocs(readFileSync(new URL('docs/metrics.md', root), 'utf8'))],
  ['docs/intervals.svg', intervalsPicture],
  ['src/server/openapi/generated/schema-names.ts', schemaNames],
  ['src/server/openapi/generated/examples.ts', demoAnswers],
];

async function demoAnswers(): Promise<string> {
  // Imported after the names are written, because the server loads them and fails on those of renamed constants.
  const { exampleAnswers } = await import('./examples.js');
  const database = await openDatabase({ folder: undefined });
  await migrate(database.knex);
  const text = await exampleAnswers(database);
  await database.close();
  return text;
}

const wanted = process.argv.slice(2);
for (const [path, text] of files) {
  if (wanted.length === 0 || wanted.includes(path)) writeFileSync(new URL(path, root), await text());
}
