import { CommandError } from '../../failure/command-error.js';

/** Seconds between two reads of `--watch`; a shorter wait would use up the tokens of the key. */
export const WATCH_SECONDS = { default: 60, least: 1, most: 86_400 } as const;

/** The arguments with a value for `--watch`, which may stand alone; parsers of flags require one. */
export const withInterval = (argv: readonly string[]): string[] => {
  const end = argv.indexOf('--');
  return argv.flatMap((arg, at) => {
    const isAlone = arg === '--watch' && (end === -1 || at < end) && !/^-?[\d.]/.test(argv[at + 1] ?? '');
    return isAlone ? [`--watch=${WATCH_SECONDS.default}`] : [arg];
  });
};

/** @throws CommandError `usage` for a number outside of the limits. */
export function intervalMs(given: string): number {
  const seconds = given.trim() === '' ? Number.NaN : Number(given);
  const { least, most } = WATCH_SECONDS;
  if (seconds >= least && seconds <= most) return seconds * 1000;
  throw new CommandError('usage', `--watch ${given}: it takes seconds from ${least} to ${most}.`, {
    hint: 'As in: svc overview --watch 30',
  });
}
