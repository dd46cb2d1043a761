import type { Interfaces } from '@oclif/core';
import { run } from '@oclif/core/run';
import { settings } from '@oclif/core/settings';
import type { Clock } from '../server/base/clock.js';
import { commandFirst } from './base/unknown-command.js';
import { setClock } from './clock.js';
import { configFolder, mayHaveKey } from './connection/folders.js';
import { printFailure } from './print-failure.js';
import { outputError } from './render/terminal.js';

export { default as init } from './base/unknown-command.js';
// oclif loads these from this file: every file of its own costs time at each start.
export { default as SvcHelp } from './help.js';

/** The files of the command line: compiled for users, sources for development and tests. */
export interface Installation {
  /** The folder that contains the manifest of oclif, and `folder`. */
  readonly root: string;
  /** The folder of this file, relative to `root`. */
  readonly folder: string;
  /** Patterns of command files; if omitted, the default of oclif. */
  readonly files?: readonly string[];
  /** The content of package.json. */
  readonly pjson: Interfaces.PJSON;
}

// A closed standard error, for example after `2>&1 | head`, is ignored, because it cannot be reported.
process.stderr.on('error', () => {});

/**
 * Runs one command line and sets the exit code of the process; never rejects.
 * @param clock If omitted, that of the machine.
 */
export async function main(
  args: readonly string[],
  installation: Installation,
  clock: Clock = () => new Date(),
): Promise<void> {
  setClock(clock);
  // Otherwise oclif looks for a tsconfig and, without its compiler, runs the files in dist.
  settings.enableAutoTranspile = false;
  const argv = args.length === 0 ? await withoutCommand() : await commandFirst(args);
  let reported = false;
  const fail = async (error: unknown) => {
    if (reported) return;
    reported = true;
    process.exitCode = await printFailure(error, argv);
  };
  const onUncaught = (error: NodeJS.ErrnoException) => {
    if (reported) return;
    // oclif throws errors of standard output in a listener, where no caller can catch them.
    const failure = error.syscall === 'write' ? outputError(error) : error;
    void fail(failure).finally(() => process.exit());
  };
  process.on('uncaughtException', onUncaught);
  try {
    await run(argv, { root: installation.root, pjson: describe(installation) });
  } catch (error) {
    await fail(error);
  } finally {
    // The last write may still fail.
    setImmediate(() => process.off('uncaughtException', onUncaught));
  }
}

/** Without arguments: the summary for whoever has a key, else the help. Settings that cannot be read are no key. */
async function withoutCommand(): Promise<string[]> {
  if (!mayHaveKey()) return [];
  const { settingsOf } = await import('./connection/settings.js');
  try {
    return settingsOf({}, process.env, configFolder()).key === undefined ? [] : ['summary'];
  } catch {
    return [];
  }
}

/** The content of package.json, with the places of these files for oclif. */
export function describe({ folder, files, pjson }: Installation): Interfaces.PJSON {
  const target = `${folder}/commands`;
  return {
    ...pjson,
    oclif: {
      ...pjson.oclif,
      commands: { strategy: 'pattern', target, ...(files && { globPatterns: [...files] }) },
      hooks: { init: [{ target: `${folder}/main`, identifier: 'init' }] },
      helpClass: { target: `${folder}/main`, identifier: 'SvcHelp' },
      additionalHelpFlags: ['-h'],
      additionalVersionFlags: ['-v'],
    },
  } as Interfaces.PJSON;
}
