#!/usr/bin/env node
/** The command `svc` from its sources, without a build. */
import 'ts-blank-space/register';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const { main } = await import('../src/cli/main.ts');
await main(process.argv.slice(2), {
  root: fileURLToPath(new URL('../src', import.meta.url)),
  folder: './cli',
  files: ['**/*.ts'],
  pjson,
});
