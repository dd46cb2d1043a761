/**
 * The sources of the command line as an installation with a manifest. Without one, oclif loads every command for each
 * command line.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';
import { describe as describeInstallation, type Installation } from '../../../src/cli/main.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
let installation: Promise<Installation> | undefined;

/** The installation; made at the first call. */
export function sources(): Promise<Installation> {
  installation ??= install();
  return installation;
}

async function install(): Promise<Installation> {
  const root = mkdtempSync(join(tmpdir(), 'svc-sources-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  symlinkSync(join(project, 'src', 'cli'), join(root, 'cli'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  const pjson = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const made = { root, folder: './cli', files: ['**/*.ts'], pjson };
  const plugin = new Plugin({
    root,
    isRoot: true,
    pjson: describeInstallation(made),
    errorOnManifestCreate: true,
  });
  await plugin.load();
  writeFileSync(join(root, 'oclif.manifest.json'), JSON.stringify(plugin.manifest));
  return made;
}
