/** Words that users type as a command, and the flags of oclif with the same meaning. */
const asFlags: { readonly [word: string]: string } = { help: '--help', version: '--version' };

/**
 * The arguments in the order that oclif requires: the command first. Moves global flags from before the command behind
 * its name.
 */
export async function commandFirst(args: readonly string[]): Promise<string[]> {
  const before = args[0]?.startsWith('-') ? await globalFlagsOf(args) : [];
  const rest = args.slice(before.length);
  const [word = '', ...others] = rest;
  const flag = Object.hasOwn(asFlags, word) ? asFlags[word] : undefined;
  if (flag === '--version' && others.length === 0) return [flag];
  if (flag === '--help') return [...others, flag];
  if (before.length === 0 || word === '' || word.startsWith('-')) return [...args];
  const end = rest.findIndex((each) => each.startsWith('-'));
  const name = end === -1 ? rest.length : end;
  return [...rest.slice(0, name), ...before, ...rest.slice(name)];
}

/** Whether an argument is a global flag, for example `--url=…`. */
export const isGlobalFlag = async (word: string): Promise<boolean> => (await argumentsOfFlag(word)) > 0;

/** The global flags before the command, with their values. */
async function globalFlagsOf(args: readonly string[]): Promise<string[]> {
  let end = 0;
  for (let taken = -1; taken !== 0 && end < args.length; end += taken)
    taken = await argumentsOfFlag(args[end]!);
  return args.slice(0, end);
}

/** The number of arguments of a global flag, itself included; 0 for any other argument. */
async function argumentsOfFlag(word: string): Promise<0 | 1 | 2> {
  const { serverFlags } = await import('./flags.js');
  const { databaseFlags } = await import('./admin-command.js');
  const [name, value] = word.split('=', 2);
  const known = Object.entries({ ...serverFlags, ...databaseFlags }).find(
    ([long, { char }]) => name === `--${long}` || (char !== undefined && name === `-${char}`),
  );
  if (!known) return 0;
  return known[1].type === 'option' && value === undefined ? 2 : 1;
}
