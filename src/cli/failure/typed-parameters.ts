/** The parameters that a command line gave to a request, for the errors of the API, which name parameters only. */
import { type EngineId, engineIds } from '../../contract/engines.js';
import { suggestion } from './suggestion.js';

/** A value that was typed: its parameter in the API, and how to name the place where it was typed: `--engine (engine)`. */
export interface TypedParameter {
  readonly parameter: string;
  readonly value: string;
  readonly place: string;
}

/**
 * The places of the parameters that a message of the API is about, as `--engine (engine): `; empty if it is about none.
 * @param message A message of `src/contract/errors.ts`: it names parameters before it states their values, or in its
 * advice as `name=`, or in its first sentence.
 */
export function placesIn(message: string, typed: readonly TypedParameter[]): string {
  const subject = wordsOf(message.split(/: |\. /, 1)[0]!);
  const sentence = wordsOf(message.split('. ', 1)[0]!);
  const ways: ((parameter: string) => boolean)[] = [
    (parameter) => subject.includes(parameter),
    (parameter) => message.includes(` ${parameter}=`),
    (parameter) => sentence.includes(parameter),
  ];
  const about = ways.map((isAbout) => typed.filter(({ parameter }) => isAbout(parameter)));
  const places = about.find(({ length }) => length > 0)?.map(({ place }) => place) ?? [];
  return places.length === 0 ? '' : `${places.join(', ')}: `;
}

const wordsOf = (text: string): string[] => text.split(/[^\w-]+/);

/** A flag or an argument as oclif parsed it; further words of an argument have no name. */
export type Token =
  | { readonly type: 'flag'; readonly flag: string; readonly input: string }
  | { readonly type: 'arg'; readonly arg: string | undefined; readonly input: string };

/** What the tokens of a command line give; an argument of a tool is the flag `--arg NAME=VALUE`. */
export const typedParameters = (tokens: readonly Token[]): TypedParameter[] =>
  tokens.flatMap((token) => {
    if (token.type === 'arg')
      return token.arg === undefined ? [] : typedAt(token.arg, token.arg.toUpperCase(), token.input);
    const [name = '', ...value] = token.flag === 'arg' ? token.input.split('=') : [];
    return name === ''
      ? typedAt(token.flag, `--${token.flag}`, token.input)
      : { parameter: name, value: value.join('='), place: `--arg ${name}` };
  });

const typedAt = (parameter: string, place: string, value: string): TypedParameter => ({
  parameter,
  value,
  place: `${place} (${parameter})`,
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
