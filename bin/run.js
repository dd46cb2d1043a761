#!/usr/bin/env node
/** The command `svc` as it is installed: the built command line, found through oclif.manifest.json. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** Commands that run for long on an embedded database. */
const LONG_COMMANDS = ['serve', 'import', 'export', 'rollup', 'prune'];

const args = process.argv.slice(2);
const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

if (args.length === 1 && args[0] === '--version') {
  // Scripts often run --version, and loading the command line takes longer than the output.
  console.log(`${pjson.name}/${pjson.version} ${process.platform}-${process.arch} node-${process.version}`);
} else if (args[0] === 'complete' && args[1] === '--') {
  // Shells wait for this while the user types.
  module.enableCompileCache?.();
  const { complete } = await import('../dist/cli/completion/complete.js');
  complete(args.slice(2), fileURLToPath(new URL('..', import.meta.url)));
} else {
  // The HTTP parser of fetch and the embedded database are WebAssembly, and most commands end before its optimised code
  // would run. Compiling it takes a quarter of the processor time of a read, and up to half of that of an admin command.
  if (!args.some((arg) => LONG_COMMANDS.includes(arg))) {
    setFlagsFromString('--no-wasm-tier-up');
    setFlagsFromString('--no-wasm-dynamic-tiering');
  }
  // Node 22.8 and newer keep compiled code between runs.
  module.enableCompileCache?.();
  const { main } = await import('../dist/cli/main.js');
  await main(args, { root: fileURLToPath(new URL('..', import.meta.url)), folder: './dist/cli', pjson });
}
