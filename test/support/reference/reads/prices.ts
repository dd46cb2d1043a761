import type { Open } from '../open.js';
import { OPEN } from '../open.js';
import type { CapturedPlacement } from '../records.js';

/** The price of a placement; open if no document specifies how its text is read. */
export interface Price {
  price: string | null;
  price_amount: number | null | Open;
  currency: string | null | Open;
}

/** Groups of three with one mark and two decimals with the other: the two forms whose reading is fixed. */
const POINT_GROUPED = /^\$?\s?\d{1,3}(\.\d{3})+,\d{2}$/;
const COMMA_GROUPED = /^\$?\s?\d{1,3}(,\d{3})+\.\d{2}$/;

export function priceOf(placement: CapturedPlacement): Price {
  const price = placement.price ?? null;
  const read = price === null ? { amount: null, currency: null } : readText(price);
  const amount = placement.price_amount ?? read.amount;
  return { price, price_amount: amount, currency: currencyOf(placement, amount, read.currency) };
}

/** A currency belongs to an amount; its meaning without an amount is not specified. */
function currencyOf(
  placement: CapturedPlacement,
  amount: Price['price_amount'],
  read: Price['currency'],
): Price['currency'] {
  if (!placement.currency) return read;
  return typeof amount === 'number' ? placement.currency : OPEN;
}

/** A bare `$` pins no currency; a text without a digit has no amount. */
function readText(text: string): { amount: number | null | Open; currency: null | Open } {
  if (POINT_GROUPED.test(text)) return { amount: numberIn(text.replaceAll('.', '')), currency: null };
  if (COMMA_GROUPED.test(text)) return { amount: numberIn(text.replaceAll(',', '')), currency: null };
  if (!/[\d\p{Sc}]/u.test(text)) return { amount: null, currency: null };
  return { amount: OPEN, currency: OPEN };
}

/** The number in a text that has no group marks left. */
function numberIn(text: string): number {
  return Number(text.replace(/[$\s]/g, '').replace(',', '.'));
}
