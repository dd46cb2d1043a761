/**
 * Writes the files that are derived from src/contract, from the demo and from simulations; or only those named. Sources among
 * them are not committed: `scripts/support/derived.mjs` has them made.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { migrate, openDatabase } from '../../src/server/database/database.js';
import { apiDocs } from './api-docs.js';
import { deliveryDocs } from './delivery-docs.js';
import { engineDocs } from './engine-docs.js';
import { glossaryDocs } from './glossary-docs.js';
import { intervalsPicture } from './intervals-picture.js';
import { metricsDocs } from './metrics-docs.js';
import { schemaNames } from './schema-names.js';
import { sdkClient } from './sdk-client.js';
import { sdkTypes } from './sdk-types.js';

const root = new URL('../../', import.meta.url);
const EXAMPLES = 'src/server/web/openapi/generated/examples.ts';

const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const files: readonly [path: string, text: () => string | Promise<string>][] = [
  ['src/sdk/types.ts', sdkTypes],
  ['src/sdk/client.ts', sdkClient],
  ['docs/metrics.md', () => metricsDocs(textOf('docs/metrics.md'))],
  ['docs/glossary.md', () => glossaryDocs(textOf('docs/glossary.md'))],
  ['docs/delivery.md', () => deliveryDocs(textOf('docs/delivery.md'))],
  ['docs/collecting.md', () => engineDocs(textOf('docs/collecting.md'))],
  ['docs/intervals.svg', intervalsPicture],
  ['src/server/web/openapi/generated/schema-names.ts', schemaNames],
  [EXAMPLES, demoAnswers],
  // After the examples, because it shows rows of them.
  ['docs/api.md', async () => apiDocs(textOf('docs/api.md'), await exampleRows())],
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

/** The examples as they were just written: a module that was loaded before has older ones. */
async function exampleRows() {
  const { answersIn } = await import('./examples.js');
  return answersIn(textOf(EXAMPLES));
}

const wanted = process.argv.slice(2);
for (const [path, text] of files) {
  if (wanted.length === 0 || wanted.includes(path)) writeFileSync(new URL(path, root), await text());
}
