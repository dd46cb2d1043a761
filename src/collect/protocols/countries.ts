/** Countries as result pages name them: their places in Google's list, their languages. */
import data from './countries.json' with { type: 'json' };

/** Numbers of ISO 3166-1. */
const numbers: Readonly<Record<string, number>> = data.numbers;
/** Where the language of searches is not the one that most people speak, or has a place in its name. */
const languages: Readonly<Record<string, string>> = data.languages;

/** The countries of which the place is known, in upper case. */
export const countries: readonly string[] = Object.keys(numbers);

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes with a name that are no country, or a part of one. */
const NO_COUNTRY = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

/** Whether a code of two letters is that of a country today: not `UK`, which is `GB`, nor `DD`. */
export function isCountry(code: string): boolean {
  const upper = code.toUpperCase();
  const isCurrent = new Intl.Locale(`und-${upper}`).region === upper && names.of(upper) !== undefined;
  return isCurrent && !NO_COUNTRY.includes(upper);
}

/** The place of a country in Google's list; undefined: it is not known. */
export function placeOf(country: string): number | undefined {
  const code = country.toUpperCase();
  return Object.hasOwn(numbers, code) ? 2000 + numbers[code]! : undefined;
}

/** The language that most people of a country search in, as Google names it. */
export const languageOf = (country: string): string =>
  languages[country] ?? new Intl.Locale(`und-${country}`).maximize().language;
