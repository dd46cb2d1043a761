/** Writes oclif.manifest.json from the built commands; with --check it writes nothing and exits with 1 if it is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(root, 'oclif.manifest.json');

const plugin = new Plugin({ root, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true });
await plugin.load();
const { commands, version } = plugin.manifest;
// oclif leaves out properties of its own commands: the names of fields, which completion proposes as values of flags.
for (const [id, { flags }] of Object.entries(commands)) {
  const command = await plugin.findCommand(id, { must: true });
  for (const [name, { fieldNames }] of Object.entries(command.flags ?? {}))
    if (fieldNames) flags[name].fieldNames = fieldNames;
}
/** A line for each command, so that a change of one is one line. */
const lines = Object.keys(commands)
  .sort()
  .map((id) => `${JSON.stringify(id)}:${JSON.stringify(commands[id])}`);
const manifest = `{"commands":{\n${lines.join(',\n')}\n},"version":${JSON.stringify(version)}}\n`;

if (!process.argv.includes('--check')) writeFileSync(path, manifest);
else if (readFileSync(path, 'utf8') !== manifest) {
  console.error('oclif.manifest.json is stale: run npm run build.');
  process.exit(1);
}
