/** Countries as result pages name them: their places in Google's list, their languages. */
import data from './countries.json' with { type: 'json' };

/** Numbers of ISO 3166-1. */
const numbers: Readonly<Record<string, number>> = data.numbers;
/** Where the language of searches is not the one that most people speak, or has a place in its name. */
const languages: Readonly<Record<string, string>> = data.languages;

/** The countries of which the place is known, in upper case. */
export const countries: readonly string[] = Object.keys(numbers);

/** The place of a country in Google's list; undefined: it is not known. */
export function placeOf(country: string): number | undefined {
  const code = country.toUpperCase();
  return Object.hasOwn(numbers, code) ? 2000 + numbers[code]! : undefined;
}

/** The language that most people of a country search in, as Google names it. */
export const languageOf = (country: string): string =>
  languages[country] ?? new Intl.Locale(`und-${country}`).maximize().language;
