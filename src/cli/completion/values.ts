/** The values that completion proposes for flags and arguments. */
import { askedNames } from '../../contract/definitions/fields.js';
import { engineIds } from '../../contract/engines.js';
import { toolNames } from '../../contract/tools.js';
import { readProfiles } from '../connection/profiles.js';
import { settingsOf } from '../connection/settings.js';
import { clientNames } from '../mcp/client-configs.js';
import { metricNames } from '../render/metric.js';
import { type Names, seenAt } from './cache.js';
import { cacheFolder, configFolder } from './folders.js';

/** Proposes values with their descriptions. */
export type Proposals = () => Names;

const words = (values: readonly string[]): Names => Object.fromEntries(values.map((value) => [value, '']));

/**
 * The values of a flag that takes several, with commas between: those that are not given yet, behind what is typed.
 * @param typed What is typed so far, perhaps behind `--flag=`.
 */
export function listValues(values: Names, typed: string): Names {
  const value = typed.replace(/^--[^=]*=/, '');
  const before = value.slice(0, value.lastIndexOf(',') + 1);
  const given = before.split(',');
  return Object.fromEntries(
    Object.entries(values).flatMap(([each, name]) => (given.includes(each) ? [] : [[before + each, name]])),
  );
}

/** Values of flags, by their names. */
export const flagValues: { readonly [flag: string]: Proposals } = {
  brand: () => seen().brands,
  prompt: () => seen().prompts,
  profile: () => profileNames(),
  engine: () => words(engineIds),
  metric: () => words(metricWords),
};

/**
 * Values of a flag that names fields of a read: a list, one with its order, or one with a number behind it.
 * @param form The value as the help shows it.
 * @param typed What is typed so far, perhaps behind `--flag=`.
 */
export function fieldValues(fields: readonly string[], form: string, typed: string): Names {
  const value = typed.replace(/^--[^=]*=/, '');
  if (form.startsWith('FIELD[,')) return listValues(words(fields), typed);
  const orders = value.includes(':') ? [':asc', ':desc'] : [''];
  return words(fields.flatMap((field) => orders.map((order) => field + order)));
}

/** Values of arguments, by command and name of the argument. */
export const argumentValues: { readonly [argument: string]: Proposals } = {
  'prompt id': () => seen().prompts,
  'explain field': () => words(askedNames()),
  'history metric': () => words(metricWords),
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

/** The settings that are already typed. */
function typed(argv: readonly string[]): { readonly profile?: string; readonly url?: string } {
  const given = (flag: string) => {
    const at = argv.indexOf(flag);
    return at === -1
      ? argv.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1)
      : argv[at + 1];
  };
  const [profile, url] = [given('--profile'), given('--url')];
  return { ...(profile && { profile }), ...(url && { url }) };
}

function profileNames(): Names {
  const { profiles } = readProfiles(configFolder());
  return Object.fromEntries(Object.entries(profiles).map(([name, { url }]) => [name, url]));
}
