/**
 * Parses a price text: the amount if only one reading is possible, the currency if the text identifies one. A range,
 * two prices, or a single separator before three digits (1.299 is 1299 in Berlin and 1.299 in London) have no amount.
 */

/** Finds the currency of a price text by its sign or code. */

/** Signs that identify one currency. $, ¥ and kr are not in the list, because several countries use them. */
const SIGNS: readonly (readonly [sign: string, code: string])[] = [
  ['US$', 'USD'],
  ['CA$', 'CAD'],
  ['C$', 'CAD'],
  ['AU$', 'AUD'],
  ['A$', 'AUD'],
  ['NZ$', 'NZD'],
  ['HK$', 'HKD'],
  ['NT$', 'TWD'],
  ['SG$', 'SGD'],
  ['S$', 'SGD'],
  ['MX$', 'MXN'],
  ['R$', 'BRL'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₫', 'VND'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['₦', 'NGN'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
];

const CODES = new Set(Intl.supportedValuesOf('currency'));
/** A code. It counts only next to a number, or next to the sign before or after a number: TOP and ALL are words too. */
const CODE =
  /(?<![\p{L}\p{N}])([A-Z]{3})(?=\s?[$€£¥]?\s?\d)|(?<=\d\s?[$€£¥]?\s?)([A-Z]{3})(?![\p{L}\p{N}])/gu;

/** The currency that the text identifies; null if it identifies none or several. */
function currencyOf(text: string): string | null {
  const pinned = new Set([...codesIn(text), ...signsIn(text)]);
  return pinned.size === 1 ? [...pinned][0]! : null;
}

function codesIn(text: string): string[] {
  return [...text.matchAll(CODE)]
    .map(([, before, after]) => (before ?? after)!)
    .filter((code) => CODES.has(code));
}

function signsIn(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  for (const [sign, code] of SIGNS) {
    // The sign must not be a part of a longer, unknown one: `A$` does not match in `kA$`.
    const pattern = new RegExp(`(?<!\\p{L})${sign.replace('$', '\\$')}(?!\\p{L})`, 'gu');
    const without = rest.replace(pattern, ' ');
    if (without !== rest) found.push(code);
    rest = without;
  }
  return found;
}

interface Price {
  /** Null: the text has no amount, or several readings. */
  readonly amount: number | null;
  /** ISO 4217 code; null: the text does not identify one, for example with a bare $. */
  readonly currency: string | null;
}

const SPACES = "[ \\u00a0\\u2009\\u202f'’]";
/** Digits with single separators between, each followed by a digit: `1.299,00`, `1 299`, `1'299.50`. */
const NUMBER = new RegExp(`\\d+(?:(?:[.,]|${SPACES})\\d+)*`, 'g');
const SPACE = new RegExp(SPACES, 'g');
/** `1299,-` and `1299.–`: no cents. */
const NO_CENTS = /(?<=\d)([.,])\s?[-–—]+(?!\d)/g;

export function parsePrice(text: string): Price {
  const plain = text.normalize('NFKC').replace(NO_CENTS, '$100');
  const numbers = plain.match(NUMBER) ?? [];
  const currency = currencyOf(plain);
  if (numbers.length !== 1 || !standsAlone(plain, numbers[0]!)) return { amount: null, currency };
  return { amount: amountOf(numbers[0]!), currency };
}

/** Whether the number is the amount as it is: a minus, a percent sign or a factor (1.5k) would change its meaning. */
function standsAlone(text: string, number: string): boolean {
  const at = text.indexOf(number);
  const before = text.slice(0, at);
  const after = text.slice(at + number.length);
  return !/[-−]\p{Sc}?\s?$|[.,]$/u.test(before) && !/^\s*%|^(?:k|m|mio|mn)\b|^[.,]\d/i.test(after);
}

function amountOf(written: string): number | null {
  const separators = written.replace(/\d/g, '');
  const kinds = new Set(separators.replace(SPACE, ' '));
  const decimal = decimalMark(written, kinds);
  if (decimal === undefined) return null;
  const [whole = '', cents] = decimal === null ? [written] : splitAtLast(written, decimal);
  if (!isGrouped(whole) || !/^\d*$/.test(cents ?? '')) return null;
  const digits = whole.replace(/\D/g, '');
  return Number(cents === undefined ? digits : `${digits}.${cents}`);
}

/** The decimal mark; null: the text has none; undefined: ambiguous. */
function decimalMark(written: string, kinds: ReadonlySet<string>): '.' | ',' | null | undefined {
  const marks = [...kinds].filter((kind) => kind !== ' ') as ('.' | ',')[];
  if (marks.length === 0) return null;
  if (marks.length === 2) {
    const last = written.lastIndexOf('.') > written.lastIndexOf(',') ? '.' : ',';
    return written.indexOf(last) === written.lastIndexOf(last) ? last : undefined;
  }
  const [mark] = marks as ['.' | ','];
  if (written.indexOf(mark) !== written.lastIndexOf(mark)) return kinds.has(' ') ? undefined : null;
  if (kinds.has(' ')) return mark;
  const [whole, rest] = splitAtLast(written, mark);
  const couldBeThousands = rest.length === 3 && whole.length <= 3 && !whole.startsWith('0');
  return couldBeThousands ? undefined : mark;
}

function splitAtLast(written: string, mark: string): [string, string] {
  const at = written.lastIndexOf(mark);
  return [written.slice(0, at), written.slice(at + 1)];
}

/** Whether at most one kind of separator groups the digits: by three, or by two and the last by three as in India. */
function isGrouped(whole: string): boolean {
  const kinds = new Set(whole.replace(/\d/g, '').replace(SPACE, ' '));
  if (kinds.size === 0) return true;
  if (kinds.size > 1) return false;
  const groups = whole.split(/\D/);
  const [first, ...rest] = groups as [string, ...string[]];
  const last = rest.at(-1)!;
  const threes = first.length <= 3 && rest.every((group) => group.length === 3);
  const lakhs =
    kinds.has(',') &&
    first.length <= 2 &&
    last.length === 3 &&
    rest.slice(0, -1).every((group) => group.length === 2);
  return first.length > 0 && !first.startsWith('0') && (threes || lakhs);
}
