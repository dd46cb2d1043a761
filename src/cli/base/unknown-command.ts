import type { Hook, Interfaces } from '@oclif/core';
import { CommandError } from '../command-error.js';
import { nearestName } from '../suggestion.js';

/** Words that users type as a command, and the flags of oclif with the same meaning. */
const asFlags: { readonly [word: string]: string } = { help: '--help', version: '--version' };

/**
 * The arguments in the order that oclif requires: the command first. Moves global flags, and those of the summary, from before
 * the command behind its name. Without a command it is the summary.
 */
export async function commandFirst(args: readonly string[]): Promise<string[]> {
  const before = args[0]?.startsWith('-') ? await leadingFlagsOf(args) : [];
  const rest = args.slice(before.length);
  const [word = '', ...others] = rest;
  const flag = Object.hasOwn(asFlags, word) ? asFlags[word] : undefined;
  if (flag === '--version' && others.length === 0) return [flag];
  if (flag === '--help') return [...others, flag];
  if (before.length === 0 || known.includes(word)) return [...args];
  if (word === '' || word.startsWith('-'))
    return (await isOfDatabase(before[0]!)) ? [...args] : ['summary', ...args];
  const end = rest.findIndex((each) => each.startsWith('-'));
  const name = end === -1 ? rest.length : end;
  return [...rest.slice(0, name), ...before, ...rest.slice(name)];
}

/** The flags before the command that may be there, with their values. */
async function leadingFlagsOf(args: readonly string[]): Promise<string[]> {
  let end = 0;
  for (let taken = -1; taken !== 0 && end < args.length; end += taken)
    taken = await argumentsOfFlag(args[end]!);
  return args.slice(0, end);
}

/** The number of arguments of such a flag, itself included; 0 for any other argument. */
async function argumentsOfFlag(word: string): Promise<0 | 1 | 2> {
  const { serverFlags, summaryFlags } = await import('./flags.js');
  const { databaseFlags } = await import('./admin-command.js');
  const [name, value] = word.split('=', 2);
  const flag = Object.entries({ ...serverFlags, ...summaryFlags, ...databaseFlags }).find(
    ([long, { char }]) => name === `--${long}` || (char !== undefined && name === `-${char}`),
  );
  if (!flag) return 0;
  return flag[1].type === 'option' && value === undefined ? 2 : 1;
}

/** Whether an argument is a flag of the commands that work on the database, for example `--data-dir=…`. */
async function isOfDatabase(word: string): Promise<boolean> {
  const { databaseFlags } = await import('./admin-command.js');
  return Object.keys(databaseFlags).includes(word.split('=', 1)[0]!.slice(2));
}

/** oclif's flags for help and version, which are not commands. */
const known = ['--help', '-h', '--version', '-v'];

/**
 * Refuses an unknown command. Otherwise oclif shows the help of the topic that its first words name.
 * A hook of oclif can stop a run only by an error with an exit code.
 */
const init: Hook<'init'> = async ({ id, argv, config }) => {
  if (id === undefined || known.includes(id) || argv.some((arg) => known.includes(arg))) return;
  if (config.findCommand(id) || config.findTopic(id)) return;
  throw Object.assign(await refusal(id, config), { oclif: { exit: 2 } });
};

export default init;

async function refusal(id: string, config: Interfaces.Config): Promise<CommandError> {
  const { bin } = config;
  if (id.startsWith('-')) return misplacedFlag(id, bin);
  const words = id.split(':');
  const typed = words.join(' ');
  const [parent, rest] = knownBeginning(words, config);
  const below = parent === '' ? '' : `${parent} `;
  const called = parent === '' ? alsoCalled(words[0]!, config) : [];
  const near =
    called.length > 0 ? called : [nearestName(rest.split(' '), namesBelow(below, config)) ?? []].flat();
  const advice =
    near.length === 0 ? '' : ` Did you mean ${near.map((each) => `${bin} ${below}${each}`).join(' or ')}?`;
  const isCommand = config.findCommand(parent.replaceAll(' ', ':')) !== undefined;
  const hint = `\`${bin} ${below}--help\` lists ${isCommand ? 'what it takes' : 'the commands'}.`;
  return isCommand
    ? new CommandError('usage', `${bin} ${parent} takes no argument: ${rest}${advice && `.${advice}`}`, {
        hint,
      })
    : new CommandError('usage', `Unknown command: ${typed}.${advice}`, { hint });
}

/** The error for a flag in place of a command. Flags of the database may precede a command, but cannot replace it. */
async function misplacedFlag(flag: string, bin: string): Promise<CommandError> {
  const hint = `\`${bin} --help\` lists the commands.`;
  return (await isOfDatabase(flag))
    ? new CommandError('usage', `A command is missing, as in: ${bin} ${flag} … admin brands list`, { hint })
    : new CommandError(
        'usage',
        `Unknown flag: ${flag}. Write flags after the command: ${bin} overview --json`,
        { hint },
      );
}

/** The longest sequence of first words that is a command or a topic, and the rest of the words. */
function knownBeginning(words: readonly string[], config: Interfaces.Config): [known: string, rest: string] {
  for (let length = words.length - 1; length > 0; length--) {
    const id = words.slice(0, length).join(':');
    if (config.findCommand(id) || config.findTopic(id))
      return [words.slice(0, length).join(' '), words.slice(length).join(' ')];
  }
  return ['', words.join(' ')];
}

/** The commands that people look for by that word. */
const alsoCalled = (word: string, { commands }: Interfaces.Config): string[] =>
  commands
    .filter((command) => (command.alsoCalled as readonly string[] | undefined)?.includes(word))
    .map(({ id }) => id.replaceAll(':', ' '));

/** The names below a topic, without the topic itself. A topic may have the name of a command. */
function namesBelow(beginning: string, { commands, topics }: Interfaces.Config): string[] {
  const ids = [
    ...commands.filter(({ hidden }) => !hidden).map(({ id }) => id),
    ...topics.map(({ name }) => name),
  ];
  return [...new Set(ids)]
    .map((id) => id.replaceAll(':', ' '))
    .filter((name) => name.startsWith(beginning))
    .map((name) => name.slice(beginning.length));
}
