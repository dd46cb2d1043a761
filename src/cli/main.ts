import type { Interfaces } from '@oclif/core';
import { run } from '@oclif/core/run';
import { settings } from '@oclif/core/settings';
import { report } from './report.js';

/** Where the command line lies: compiled for users, as sources for development and tests. */
export interface Installation {
  /** Folder in which oclif looks for the manifest and below which `folder` lies. */
  readonly root: string;
  /** The folder of this file, relative to `root`. */
  readonly folder: string;
  /** Patterns of command files; oclif's own when absent. */
  readonly files?: readonly string[];
  /** The content of package.json. */
  readonly pjson: Interfaces.PJSON;
}

// Whoever closed standard error, as `2>&1 | head` does, is not told so.
process.stderr.on('error', () => {});

/** Runs one command line and sets the exit code of the process; never rejects. */
export async function main(args: readonly string[], installation: Installation): Promise<void> {
  // oclif would look for a tsconfig and, not finding its compiler, run whatever dist holds.
  settings.enableAutoTranspile = false;
  // oclif knows `--help` only.
  const argv = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
  try {
    await run(argv, { root: installation.root, pjson: describe(installation) });
  } catch (error) {
    process.exitCode = await report(error, argv);
  }
}

function describe({ folder, files, pjson }: Installation): Interfaces.PJSON {
  const target = `${folder}/commands`;
  return {
    ...pjson,
    oclif: {
      ...pjson.oclif,
      commands: { strategy: 'pattern', target, ...(files && { globPatterns: [...files] }) },
      hooks: { init: [`${folder}/hooks/init`] },
      helpClass: `${folder}/help`,
      additionalHelpFlags: ['-h'],
    },
  } as Interfaces.PJSON;
}
