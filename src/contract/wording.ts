/** Phrases with numbers, derived from the tables that define the numbers. */
import { type Engine, engines } from './engines.js';
import { RANGE_DAYS_MAX, SIGN_IN_LINK_MINUTES, WINDOW_DAYS } from './limits.js';

const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A number as a word, as `eight`; above twelve in digits. */
export const inWords = (count: number): string => words[count] ?? String(count);

/** Phrases for sets of engines: `eight search-grounded engines`, `all ten engines`. */
export const engineWording = (table: readonly Engine[]) => ({
  searchGrounded: `${inWords(table.filter(({ blended }) => blended).length)} search-grounded engines`,
  all: `all ${inWords(table.length)} engines`,
});

export const { searchGrounded, all: allEngines } = engineWording(engines);

/** The window of a read without a window parameter. */
export const lastDays = `last ${WINDOW_DAYS} days`;

/** The longest custom range. */
export const rangeLimit = `at most ${RANGE_DAYS_MAX} days`;

/** How often and how long a link that signs in works: `once, within ten minutes`. */
export const linkLife = `once, within ${inWords(SIGN_IN_LINK_MINUTES)} minutes`;
