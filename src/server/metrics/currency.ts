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
export function currencyOf(text: string): string | null {
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
