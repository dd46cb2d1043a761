import { Command } from '@oclif/core/command';
import { CommandError } from '../command-error.js';
import type { HelpPlace } from '../root-help.js';
import { nearest, suggestion } from '../suggestion.js';

/** The base of every command: usage errors become a CommandError, and `main` reports every error. */
export abstract class BaseCommand extends Command {
  /** The list of the help of `svc` that names the command, and its place there. */
  declare static inHelp?: HelpPlace;
  /** Words for which people look for the command; an unknown command that is one of them names it. */
  declare static alsoCalled?: readonly string[];

  /**
   * Rethrows without output, so that errors are reported in one place. The `catch` of oclif prints under --json, and exits
   * with 1 for every error.
   */
  protected override async catch(error: Error): Promise<unknown> {
    if (isUsageError(error)) throw this.#usageError(error);
    throw error;
  }

  #usageError(error: UsageError): CommandError {
    const name = `${this.config.bin} ${(this.id ?? '').replaceAll(':', ' ')}`;
    const hint = `\`${name} --help\` lists what it takes.`;
    const [unknown] = error.flags ?? [];
    if (unknown === undefined)
      return new CommandError('usage', this.#missing(error) ?? withChoice(inOneLine(error.message)), {
        hint,
      });
    const word = unknown.replace(/^-+/, '');
    const flags = this.#flags();
    const near = flags.format?.options?.includes(word) ? `format ${word}` : nearest(word, Object.keys(flags));
    const advice = near === undefined ? '' : ` Did you mean --${near}?`;
    return new CommandError('usage', `Unknown flag: ${unknown}.${advice}`, { hint });
  }

  /** One sentence about missing flags or arguments; undefined for other errors. */
  #missing({ args, parse }: UsageError): string | undefined {
    if (args?.every((arg) => typeof arg === 'object')) {
      const missing = args.map(({ name, description }) => `${name.toUpperCase()} (${description})`);
      return `Missing ${missing.length === 1 ? 'argument' : 'arguments'}: ${missing.join(' and ')}.`;
    }
    const { input, output } = args === undefined ? (parse ?? {}) : {};
    const missing = Object.entries(input?.flags ?? {})
      .filter(([name, { required }]) => required && output?.flags[name] === undefined)
      .map(([name, { options, helpValue }]) => `--${name} ${options?.join('|') ?? helpValue ?? 'VALUE'}`);
    return missing.length === 0
      ? undefined
      : `Missing ${missing.length === 1 ? 'flag' : 'flags'}: ${missing.join(' and ')}.`;
  }

  #flags(): { readonly [name: string]: FlagHelp } {
    return { ...this.ctor.baseFlags, ...this.ctor.flags } as { readonly [name: string]: FlagHelp };
  }
}

interface FlagHelp {
  readonly required?: boolean;
  readonly options?: readonly string[];
  readonly helpValue?: string;
}

/** The error of the parser of oclif. */
interface UsageError extends Error {
  /** The unknown flags. */
  readonly flags?: readonly string[];
  /** The missing arguments, or the values that no argument takes. */
  readonly args?: readonly { readonly name: string; readonly description?: string }[] | readonly string[];
  /** What was parsed; empty for a value that is none of the allowed ones. */
  readonly parse?: {
    readonly input?: { readonly flags: { readonly [name: string]: FlagHelp } };
    readonly output?: { readonly flags: { readonly [name: string]: unknown } };
  };
}

/** oclif ends messages about arguments with this line. Only some of these errors have a `parse` property. */
const ADVICE = 'See more help with --help';

const isUsageError = (error: Error): error is UsageError =>
  'parse' in error || error.message.endsWith(ADVICE);

/** A message about a value that is none of the allowed ones, with the one that is similar. */
function withChoice(message: string): string {
  const [, value, allowed] = /^Expected (?:--[\w-]+=)?(\S+) to be one of: (.*)$/.exec(message) ?? [];
  return value === undefined ? message : `${message}.${suggestion(value, allowed!.split(', '))}`;
}

/** Joins a message of oclif, which has a heading and indented lines, into one line. */
const inOneLine = (message: string): string =>
  message
    .replace(ADVICE, '')
    .replace(/\nNote: --\S+ allows? multiple values[\s\S]*/, '')
    .replace(/^The following errors? occurred:/, '')
    .replace(/^Parsing (\S+)/, '$1:')
    .replaceAll('=true cannot', ' cannot')
    .replace(/\s+/g, ' ')
    .trim();
