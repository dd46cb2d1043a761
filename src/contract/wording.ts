/** Phrases with numbers, derived from the tables that define the numbers. */
import { type Engine, engines } from './engines.js';
import { RANGE_DAYS_MAX, SIGN_IN_LINK_MINUTES, WINDOW_DAYS } from './limits.js';

const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A number as a word, as `eight`; above twelve in digits. */
export const inWords = (count: number): string => words[count] ?? String(count);

/** Digits in groups of three, from the right: `12,480`, `1,234.5`. */
export const grouped = (value: number | string): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/** The words for a number of things: `answer` for one, else `answers`. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  count === 1 ? one : several;

/** `1 day`, `12,480 runs`. */
export const counted = (count: number, one: string, several?: string): string =>
  `${grouped(count)} ${plural(count, one, several)}`;

/** With one decimal: `1,234.5`. */
export const decimal = (value: number): string => grouped(value.toFixed(1));

const LEAST_USD = 0.0001;

/** US dollars with as many decimals as a call needs: `$12.40`, `$0.0123`; a smaller cost is not shown as zero. */
export function usd(amount: number): string {
  if (amount > 0 && amount < LEAST_USD) return `<$${LEAST_USD}`;
  return `$${amount.toFixed(amount >= 1 || amount === 0 ? 2 : 4)}`;
}

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

/** A sentence within another one: without its full stop. */
export const withoutStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** Lines as one, each as a sentence of its own if it ends as one. */
export const inOneLine = (lines: string): string =>
  lines.replace(/([.:])?\n/g, (_, end?: string) => (end ? `${end} ` : '; '));
