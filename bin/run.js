#!/usr/bin/env node
/** The command `svc` as it is installed: the built command line, found through oclif.manifest.json. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** Commands that run for long on an embedded database. */
const LONG_COMMANDS = ['serve', 'import', 'export', 'rollup', 'prune'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const args = process.argv.slice(2);

if (args.length === 1 && args[0] === '--version') {
  // Scripts often run --version, and loading the command line takes longer than the output.
  console.log(`${pjson.name}/${pjson.version} ${process.platform}-${process.arch} node-${process.version}`);
} else {
  // Node 22.8 and newer keep compiled code between runs.
  module.enableCompileCache?.();
  void run();
}

async function run() {
  // Shells wait for this while the user types.
  if (args[0] === 'complete' && args[1] === '--') {
    const { complete } = await import('../dist/cli/completion/complete.js');
    complete(args.slice(2), root);
    return;
  }
  if (args.length === 0 || (args.length === 1 && ['--help', '-h', 'help'].includes(args[0]))) {
    const { mayHaveKey, showRootHelp } = await import('../dist/cli/root-help.js');
    if (!(args.length === 0 && mayHaveKey()) && (await showRootHelp(root, pjson))) return;
  }
  // The HTTP parser of fetch and the embedded database are WebAssembly, and most commands end before its optimised code
  // would run. Without this, +22 % processor time per read.
  if (!args.some((arg) => LONG_COMMANDS.includes(arg))) {
    setFlagsFromString('--no-wasm-tier-up');
    setFlagsFromString('--no-wasm-dynamic-tiering');
  }
  const { main } = await import('../dist/cli/main.js');
  await main(args, { root, folder: './dist/cli', pjson });
}
