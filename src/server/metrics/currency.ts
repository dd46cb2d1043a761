/** Which currency a price text pins, by sign or by code. */

/** Signs of one currency alone. $, ¥ and kr are not among them: several countries write them. */
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
/** A code counts beside a number or its sign alone: TOP and ALL are words too. */
const CODE =
  /(?<![\p{L}\p{N}])([A-Z]{3})(?=\s?[$€£¥]?\s?\d)|(?<=\d\s?[$€£¥]?\s?)([A-Z]{3})(?![\p{L}\p{N}])/gu;

/** The one currency that the text pins; null when it pins none, or more than one. */
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
    // Of Z$ and of kA$ nothing is known: the sign must not be the end of a longer one.
    const pattern = new RegExp(`(?<!\\p{L})${sign.replace('$', '\\$')}(?!\\p{L})`, 'gu');
    const without = rest.replace(pattern, ' ');
    if (without !== rest) found.push(code);
    rest = without;
  }
  return found;
}
