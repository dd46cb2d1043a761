#!/usr/bin/env node
/** The command `svc` from its sources, without a build. */
import '../scripts/support/typescript.mjs';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const args = process.argv.slice(2);
if (args[0] === 'complete' && args[1] === '--') {
  const { complete } = await import('../src/cli/completion/complete.ts');
  complete(args.slice(2), fileURLToPath(new URL('..', import.meta.url)));
} else {
  const { main } = await import('../src/cli/main.ts');
  await main(args, {
    root: fileURLToPath(new URL('../src', import.meta.url)),
    folder: './cli',
    files: ['**/*.ts'],
    pjson,
  });
}
