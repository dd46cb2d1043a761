/** Completes a command line for a shell. `bin/run.js` loads it instead of oclif, because shells wait for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Topics } from '../root-help.js';
import { completionTree, type Manifest } from './tree.js';

/**
 * Prints a proposal per line, with a tab before its description.
 * @param words The words behind `svc`; the last one is being typed, and may be empty.
 * @param root The folder of the manifest and package.json.
 */
export function complete(words: readonly string[], root: string): void {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const manifest: Manifest = read('oclif.manifest.json');
  const { oclif }: { oclif: { topics: Topics } } = read('package.json');
  completionTree(manifest, oclif.topics, words.at(-1) ?? '').parse([...words]);
}
