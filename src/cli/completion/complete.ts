/** Completes a command line for a shell. `bin/run.js` loads it instead of oclif, because shells wait for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, type OptionHandler, RootCommand } from '@bomb.sh/tab';
import { engineIds } from '../../contract/engines.js';
import { askedNames } from '../../contract/explanations.js';
import { gapKinds } from '../../contract/reads/gaps.js';
import { toolNames } from '../../contract/tools.js';
import { cacheFolder, configFolder } from '../connection/folders.js';
import { readProfiles } from '../connection/profiles.js';
import { settingsOf } from '../connection/settings.js';
import { clientNames } from '../mcp/setup.js';
import { metricNames } from '../render/metric.js';
import type { Topics } from '../root-help.js';
import { type Names, seenAt } from './cache.js';

/**
 * Prints a proposal per line, with a tab before its description.
 * @param words The words behind `svc`; the last one is being typed, and may be empty.
 * @param root The folder of the manifest and package.json.
 */
export function complete(words: readonly string[], root: string): void {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const manifest: Manifest = read('oclif.manifest.json');
  const { oclif }: { oclif: { topics: Topics } } = read('package.json');
  completionTree(manifest, oclif.topics, words.at(-1) ?? '').parse([...words]);
}

// The commands of the manifest of oclif, as @bomb.sh/tab completes them.

// The values that completion proposes for flags and arguments.

type Proposals = () => Names;

const words = (values: readonly string[]): Names => Object.fromEntries(values.map((value) => [value, '']));

/**
 * The values of a flag that takes several, with commas between: those that are not chosen yet, after what is typed.
 * @param typed What is typed so far, perhaps behind `--flag=`.
 */
function listValues(values: Names, typed: string): Names {
  const value = typed.replace(/^--[^=]*=/, '');
  const before = value.slice(0, value.lastIndexOf(',') + 1);
  const chosen = before.split(',');
  return Object.fromEntries(
    Object.entries(values).flatMap(([each, name]) => (chosen.includes(each) ? [] : [[before + each, name]])),
  );
}

const flagValues: { readonly [flag: string]: Proposals } = {
  brand: () => seen().brands,
  prompt: () => seen().prompts,
  against: () => seen().answers,
  profile: () => profileNames(),
  engine: () => words(engineIds),
  metric: () => words(metricWords),
};

/**
 * Values of a flag that names fields of a read: a list, one with its order, or one with a number behind it.
 * @param form The value as the help shows it.
 * @param typed What is typed so far, perhaps behind `--flag=`.
 */
function fieldValues(fields: readonly string[], form: string, typed: string): Names {
  const value = typed.replace(/^--[^=]*=/, '');
  if (form.startsWith('FIELD[,')) return listValues(words(fields), typed);
  const orders = value.includes(':') ? [':asc', ':desc'] : [''];
  return words(fields.flatMap((field) => orders.map((order) => field + order)));
}

const argumentValues: { readonly [argument: string]: Proposals } = {
  'prompt id': () => seen().prompts,
  'answer id': () => seen().answers,
  'explain field': () => words(askedNames()),
  'gaps kind': () => words(gapKinds),
  'history metric': () => words(metricWords),
  'why metric': () => words(metricWords),
  'profiles:use name': () => profileNames(),
  'mcp:config client': () => words(clientNames),
  'mcp:install client': () => words(clientNames),
  'tools:call tool': () => words(toolNames),
};

/** The metrics of the history as single words, because shells separate words by spaces. */
const metricWords = metricNames.map((name) => name.replaceAll(' ', '_'));

/** The cached names of the server in use; none if the settings are invalid. */
function seen() {
  const { profile, url } = typed(process.argv);
  return seenAt(cacheFolder(), settingsOf({ profile, url }, process.env, configFolder()).url);
}

function typed(argv: readonly string[]): { readonly profile?: string; readonly url?: string } {
  const flagged = (flag: string) => {
    const at = argv.indexOf(flag);
    return at === -1
      ? argv.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1)
      : argv[at + 1];
  };
  const [profile, url] = [flagged('--profile'), flagged('--url')];
  return { ...(profile && { profile }), ...(url && { url }) };
}

function profileNames(): Names {
  const { profiles } = readProfiles(configFolder());
  return Object.fromEntries(Object.entries(profiles).map(([name, { url }]) => [name, url]));
}

interface ManifestFlag {
  readonly type: string;
  readonly description?: string;
  readonly char?: string;
  readonly options?: readonly string[];
  readonly helpValue?: string;
  readonly hidden?: boolean;
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
interface Manifest {
  readonly commands: { readonly [id: string]: ManifestCommand };
}

/**
 * All commands, flags and arguments with the values that are known for them.
 * @param typed The word that is being typed.
 */
function completionTree({ commands }: Manifest, topics: Topics, typed: string): RootCommand {
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
