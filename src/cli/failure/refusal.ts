/** Explains failures of requests by what the user set and typed: the key, the address, the brand, the parameters. */
import { remedyText } from '../../contract/collection.js';
import { type EngineId, engineIds } from '../../contract/engines.js';
import { printable } from '../../contract/printable.js';
import type { BrandEntry } from '../../contract/reads/brands.js';
import { BRAND_ARGUMENT } from '../../contract/tools.js';
import { AddressError, CommandError } from '../command-error.js';
import { isDemoProfile } from '../connection/profiles.js';
import {
  profileOf,
  type SettingSource,
  type SettingSources,
  type Settings,
  sourceText,
  TYPED_KEY,
  TYPED_URL,
} from '../connection/settings.js';
import { nearest, suggestion } from '../suggestion.js';
import { commandErrorOf, isRefusedAs } from './diagnosis.js';

/** The command that stores a key under that profile. */
const loginAs = (name: string, more = ''): string =>
  isDemoProfile(name) ? '`svc demo`, which stores a new one' : `\`svc login${more} --profile ${name}\``;

/**
 * A failure of a request, with the place of the refused value: the source of the key or the address, the flag of a parameter.
 * @param typed The parameters of the command line.
 */
export function withSource(
  error: unknown,
  { url, sources }: Settings,
  typed: readonly TypedParameter[] = [],
): CommandError {
  const failure = commandErrorOf(error);
  const { kind, status, refusal, parameters, retryable } = failure;
  const message =
    (status === 400 ? placesOf(failure.parameters, typed) : '') +
    (isUnknownKey(failure) ? unknownKey(url, sources) : failure.message) +
    (isRefusedAs(failure, 'unknownEngine') ? meantEngine(typed) : '');
  if (error instanceof AddressError) {
    const place = sources.url === TYPED_URL ? '' : ` The address comes from ${placeOf(sources)}.`;
    return new CommandError(kind, message + place, {
      hint: error.remedy && remedyAt(sources.url, error.remedy),
    });
  }
  const hint = () => {
    if (status === 401 && sources.key !== null) return keyRemedy(sources.key);
    if (kind === 'network' && status === null && sources.url === TYPED_URL)
      return `Nothing was stored. Is the server running at ${url}?`;
    if (kind === 'network' && status === null)
      return `The address ${url} comes from ${placeOf(sources)}. Is the server running there?`;
    if (isRefusedAs(failure, 'noBrands'))
      return '`svc init` and `svc admin apply` add a brand (docs/first-page.md); `svc admin import` loads data.';
    return failure.hint;
  };
  return new CommandError(kind, message, { status, refusal, parameters, retryable, hint: hint() });
}

const placeOf = (sources: SettingSources): string =>
  sources.url === 'default' ? 'no setting: it is the default' : sourceText(sources.url, sources);

/** Whether the server does not know the key: there it is `Unauthorized`. */
export const isUnknownKey = (error: unknown): boolean => isRefusedAs(error, 'unauthorized');

/** The sentence for a key that the server does not know. */
const unknownKey = (url: string, sources: SettingSources): string =>
  `${url} does not know the key${sources.key === null || sources.key === TYPED_KEY ? '' : ` from ${sourceText(sources.key, sources)}`}: it was revoked, or is of another server, or is not whole.`;

/** What to do about a key that is refused, by the place that it comes from. */
function keyRemedy(source: SettingSource): string {
  const name = profileOf(source);
  if (name !== undefined) return `Replace it with ${loginAs(name)}, or set SVC_API_KEY.`;
  if (source === TYPED_KEY) return `Nothing was stored. ${NEW_KEY}`;
  return source === 'SVC_API_KEY'
    ? `Set another key, or unset it to use that of a profile. ${NEW_KEY}`
    : NEW_KEY;
}

const NEW_KEY = 'The operator of the server makes a key with `svc admin keys create`.';

/** How to replace the address at its source. */
function remedyAt(source: SettingSource, address: string): string {
  const name = profileOf(source);
  if (name !== undefined) return `If that is your server: ${loginAs(name, ` --url ${address}`)}`;
  return `If that is your server: ${source === 'SVC_URL' ? `SVC_URL=${address}` : `--url ${address}`}`;
}

/** Whether the server refused the brand of a request: the named or the default one. */
export const isUnknownBrand = (error: unknown): boolean => isRefusedAs(error, 'unknownBrand');

/**
 * The brands that a text names: the one with this id, else all with this name. Case does not matter in names.
 */
export function brandsNamed(text: string, brands: readonly BrandEntry[]): readonly BrandEntry[] {
  const exact = brands.filter(({ id }) => id === text);
  const folded = text.trim().toLowerCase();
  return exact.length > 0 ? exact : brands.filter(({ name }) => name.trim().toLowerCase() === folded);
}

/**
 * The id of the one brand that a text names.
 * @param source The source of the text.
 * @throws CommandError `not_found` for no brand, `usage` for several.
 */
export function brandIdOf(text: string, brands: readonly BrandEntry[], source: string | null): string {
  const [found, ...others] = brandsNamed(text, brands);
  const origin = source === null ? '' : ` (${source})`;
  if (found === undefined) {
    throw new CommandError('not_found', `Unknown brand: ${text}${origin}.${advice(text, brands)}`, {
      status: 404,
      hint: '`svc brands` lists the brands that the key can see.',
    });
  }
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(', ');
  throw new CommandError(
    'usage',
    `${others.length + 1} brands are named ${text}${origin}: give an id, ${ids}.`,
  );
}

function advice(text: string, brands: readonly BrandEntry[]): string {
  const ids = new Map(
    brands.flatMap(
      ({ id, name }) =>
        [
          [id, id],
          [name.toLowerCase(), id],
        ] as const,
    ),
  );
  const near = nearest(text, [...ids.keys()]) ?? nearest(text.toLowerCase(), [...ids.keys()]);
  return near === undefined ? '' : ` Did you mean ${printable(ids.get(near)!)}?`;
}

/**
 * Resolves a brand that the server refused.
 * @param brands All brands that the key can see, the default one first.
 * @param typed The parameters of the command line, of which the argument of a tool beats the settings.
 * @returns The id to request instead, if the text was the brand's name.
 * @throws CommandError if nothing was collected for it, or if it does not exist.
 */
export function resolveBrand(
  error: unknown,
  { brand, sources }: Settings,
  brands: readonly BrandEntry[],
  typed: readonly TypedParameter[],
): string {
  const argument = typed.find(({ parameter }) => parameter === BRAND_ARGUMENT)?.value;
  const text = argument ?? brand ?? brands[0]?.id;
  if (text === undefined) throw error;
  const source = text === brand && sources.brand !== null ? sourceText(sources.brand, sources) : null;
  const id = brandIdOf(text, brands, source);
  if (id !== text) return id;
  const isDefault = argument === undefined && brand === undefined;
  throw neverCollected(brands.find((each) => each.id === id)!, isDefault && brands.length > 1);
}

/** The error for a name where only an id is accepted. */
export const namedByName = (id: string): CommandError =>
  new CommandError('not_found', `Brands are named by their id here: give ${printable(id)}.`, { status: 404 });

function neverCollected({ id, name, collection_fault }: BrandEntry, isDefault: boolean): CommandError {
  const others = isDefault ? ['`svc brands` lists the others, which --brand names.'] : [];
  const [why, remedy] = collection_fault
    ? [collection_fault.reason, remedyText(collection_fault)]
    : [
        'answers come with `svc serve --plan`, `svc collect` or `svc admin import`.',
        'docs/collecting.md and docs/dataset.md describe it.',
      ];
  return new CommandError(
    'not_found',
    `Nothing was collected for the brand ${printable(name)} (${printable(id)}) yet: ${printable(why)}`,
    { status: 404, hint: [remedy ?? [], others].flat().join(' ') || undefined },
  );
}

/** A value that was typed: its parameter in the API, and how to name the place where it was typed: `--engine`. */
export interface TypedParameter {
  readonly parameter: string;
  readonly value: string;
  readonly place: string;
}

/** The places where refused parameters were typed, as `--engine: `; empty if none was. */
export function placesOf(refused: readonly string[], typed: readonly TypedParameter[]): string {
  const places = typed.filter(({ parameter }) => refused.includes(parameter)).map(({ place }) => place);
  return places.length === 0 ? '' : `${[...new Set(places)].join(', ')}: `;
}

/** A flag or an argument as oclif parsed it; further words of an argument have no name. */
export type Token =
  | { readonly type: 'flag'; readonly flag: string; readonly input: string }
  | { readonly type: 'arg'; readonly arg: string | undefined; readonly input: string };

/** The parameters that the tokens of a command line state; an argument of a tool is the flag `--arg NAME=VALUE`. */
export const typedParameters = (tokens: readonly Token[]): TypedParameter[] =>
  tokens.flatMap((token) => {
    if (token.type === 'arg')
      return token.arg === undefined
        ? []
        : { parameter: token.arg, value: token.input, place: token.arg.toUpperCase() };
    const [name = '', ...value] = token.flag === 'arg' ? token.input.split('=') : [];
    return name === ''
      ? { parameter: token.flag, value: token.input, place: `--${token.flag}` }
      : { parameter: name, value: value.join('='), place: `--arg ${name}` };
  });

/** The end of a message that has no full stop, with the engine that was meant for a wrong one: `. Did you mean chatgpt?` */
export const meantEngine = (typed: readonly TypedParameter[]): string =>
  typed
    .flatMap(({ parameter, value }) => (parameter === 'engine' ? value.split(',') : []))
    .filter((each) => !engineIds.includes(each as EngineId))
    .map((each) => suggestion(each.trim().toLowerCase(), engineIds))
    .filter((advice) => advice !== '')
    .map((advice, at) => (at === 0 ? `.${advice}` : advice))
    .join('');
