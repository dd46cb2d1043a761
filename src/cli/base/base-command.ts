import { Command } from '@oclif/core/command';
import { CommandError } from '../failure/command-error.js';
import { nearest } from '../failure/suggestion.js';

/** The base of every command: whatever fails becomes a CommandError, and `main` reports it. */
export abstract class BaseCommand extends Command {
  /**
   * oclif's own `catch` would print under --json and exit 1 whatever the error asked for; here nothing is printed,
   * so that there is one place that reports.
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
      return new CommandError('usage', this.#missing(error) ?? inOneLine(error.message), { hint });
    const near = nearest(unknown.replace(/^-+/, ''), Object.keys(this.#flags()));
    const advice = near === undefined ? '' : ` Did you mean --${near}?`;
    return new CommandError('usage', `Unknown flag: ${unknown}.${advice}`, { hint });
  }

  /** One sentence about required flags or arguments that are not there; undefined: something else is wrong. */
  #missing({ message, args }: UsageError): string | undefined {
    const flags = this.#flags();
    const named = [...message.matchAll(/^\s*Missing required flag (\S+)$/gm)].map(([, name]) => {
      const { options, helpValue } = flags[name!] ?? {};
      return `--${name} ${options?.join('|') ?? helpValue ?? 'VALUE'}`;
    });
    if (named.length > 0) return `Missing ${named.length === 1 ? 'flag' : 'flags'}: ${named.join(' and ')}.`;
    if (!message.startsWith('Missing ') || !args?.length) return undefined;
    const asked = args.map(({ name, description }) => `${name.toUpperCase()} (${description})`);
    return `Missing ${asked.length === 1 ? 'argument' : 'arguments'}: ${asked.join(' and ')}.`;
  }

  #flags(): { readonly [name: string]: FlagWords } {
    return { ...this.ctor.baseFlags, ...this.ctor.flags } as { readonly [name: string]: FlagWords };
  }
}

/** What the help says about the value of a flag. */
interface FlagWords {
  readonly options?: readonly string[];
  readonly helpValue?: string;
}

/** What oclif's parser throws: `flags` names those it does not know, `args` those that are missing. */
interface UsageError extends Error {
  readonly flags?: readonly string[];
  readonly args?: readonly { readonly name: string; readonly description?: string }[];
}

/** oclif ends messages about arguments with this line, and marks only some of the errors themselves. */
const ADVICE = 'See more help with --help';

const isUsageError = (error: Error): error is UsageError =>
  'parse' in error || error.message.endsWith(ADVICE);

/** oclif spreads such a message over indented lines, below a heading. */
const inOneLine = (message: string): string =>
  message
    .replace(ADVICE, '')
    .replace(/\nNote: --\S+ allows? multiple values[\s\S]*/, '')
    .replace(/^The following errors? occurred:/, '')
    .replace(/^Parsing (\S+)/, '$1:')
    .replaceAll('=true cannot', ' cannot')
    .replace(/\s+/g, ' ')
    .trim();
