import type { Interfaces } from '@oclif/core';
import { run } from '@oclif/core/run';
import { settings } from '@oclif/core/settings';
import { commandFirst } from './base/arguments.js';
import { report } from './failure/report.js';
import { outputError } from './render/output.js';

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
  const argv = await commandFirst(args);
  let reported = false;
  const fail = async (error: unknown) => {
    if (reported) return;
    reported = true;
    process.exitCode = await report(error, argv);
  };
  const onUncaught = (error: NodeJS.ErrnoException) => {
    if (reported) return;
    // oclif throws what standard output fails with from a listener, where nobody can catch it.
    const failure = error.syscall === 'write' ? outputError(error) : error;
    void fail(failure).finally(() => process.exit());
  };
  process.on('uncaughtException', onUncaught);
  try {
    await run(argv, { root: installation.root, pjson: describe(installation) });
  } catch (error) {
    await fail(error);
  } finally {
    // What was written last may still fail.
    setImmediate(() => process.off('uncaughtException', onUncaught));
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
      additionalVersionFlags: ['-v'],
    },
  } as Interfaces.PJSON;
}
