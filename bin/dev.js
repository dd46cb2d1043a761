#!/usr/bin/env node
/** The command `svc` from its sources, without a build. */
import '../scripts/support/typescript.mjs';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const args = process.argv.slice(2);

if (args[0] === 'complete' && args[1] === '--') {
  const { complete } = await import('../src/cli/completion/complete.ts');
  complete(args.slice(2), root);
} else {
  const { main } = await import('../src/cli/main.ts');
  void main(args, { root: join(root, 'src'), folder: './cli', files: ['**/*.ts'], pjson });
}
