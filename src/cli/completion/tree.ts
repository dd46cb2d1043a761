/** The commands of the manifest of oclif, as @bomb.sh/tab completes them. */
import { type Command, type OptionHandler, RootCommand } from '@bomb.sh/tab';
import { argumentValues, fieldValues, flagValues, listValues, type Proposals } from './values.js';

interface ManifestFlag {
  readonly type: string;
  readonly description?: string;
  readonly char?: string;
  readonly options?: readonly string[];
  readonly helpValue?: string;
  readonly hidden?: boolean;
  /** The fields that the value names. */
  readonly fieldNames?: readonly string[];
}
interface ManifestArgument {
  readonly options?: readonly string[];
}
interface ManifestCommand {
  readonly summary?: string;
  readonly hidden?: boolean;
  readonly flags?: { readonly [name: string]: ManifestFlag };
  readonly args?: { readonly [name: string]: ManifestArgument };
}
export interface Manifest {
  readonly commands: { readonly [id: string]: ManifestCommand };
}
export interface Topics {
  readonly [id: string]: { readonly description?: string };
}

/**
 * All commands, flags and arguments with the values that are known for them.
 * @param typed The word that is being typed.
 */
export function completionTree({ commands }: Manifest, topics: Topics, typed: string): RootCommand {
  const root = new RootCommand();
  // The library finds `admin keys create` only if `admin` and `admin keys` are commands too.
  for (const [id, { description = '' }] of Object.entries(topics))
    root.command(nameOf(id), described(description));
  for (const [id, { summary = '', hidden, flags = {}, args = {} }] of Object.entries(commands)) {
    if (hidden) continue;
    const command = root.command(nameOf(id), described(summary));
    for (const [name, flag] of Object.entries(flags)) if (!flag.hidden) addFlag(command, name, flag, typed);
    for (const [name, { options }] of Object.entries(args))
      command.argument(name, handler(options, argumentValues[`${id} ${name}`]));
  }
  return root;
}

const nameOf = (id: string): string => id.replaceAll(':', ' ');

function addFlag(command: Command, name: string, flag: ManifestFlag, typed: string): void {
  const { type, description = '', char, options, helpValue = '' } = flag;
  if (type === 'boolean') {
    command.option(name, described(description), char);
    return;
  }
  const choices = options ?? (/^[\w-]+(?:\|[\w-]+)+$/.test(helpValue) ? helpValue.split('|') : undefined);
  const known = flagValues[name];
  const isList = /^\w+\[,/.test(helpValue);
  const proposals = flag.fieldNames
    ? () => fieldValues(flag.fieldNames!, helpValue, typed)
    : known && isList
      ? () => listValues(known(), typed)
      : known;
  // A flag without a handler would count as a flag without a value.
  command.option(name, described(description), handler(choices, proposals) as OptionHandler, char);
}

/** Invalid settings must not disturb the line that is being typed, so they propose nothing. */
const handler =
  (choices: readonly string[] | undefined, proposals: Proposals | undefined) =>
  (complete: (value: string, description: string) => void): void => {
    for (const choice of choices ?? []) complete(choice, '');
    try {
      for (const [value, name] of Object.entries(proposals?.() ?? {})) complete(value, described(name));
    } catch {}
  };

/** A description on one line, without characters that a shell might expand. */
const described = (text: string): string =>
  text
    .replace(/<%= config\.bin %>/g, 'svc')
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[$`\\"']/g, '')
    .trim();
