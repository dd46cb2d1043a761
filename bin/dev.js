#!/usr/bin/env node
/** The command `svc` from its sources, without a build. */
const { join } = require('node:path');
const pjson = require('../package.json');

async function run() {
  await import('../scripts/support/typescript.mjs');
  const args = process.argv.slice(2);
  if (args[0] === 'complete' && args[1] === '--') {
    const { complete } = await import('../src/cli/completion/complete.ts');
    complete(args.slice(2), join(__dirname, '..'));
    return;
  }
  const { main } = await import('../src/cli/main.ts');
  await main(args, { root: join(__dirname, '../src'), folder: './cli', files: ['**/*.ts'], pjson });
}

void run();
