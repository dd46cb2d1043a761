/** Generates prices as engines write them: by region, in several forms. */
import type { Region } from './market.js';
import type { Random } from './random.js';

export interface Price {
  readonly price?: string;
  readonly price_amount?: number;
  readonly currency?: string;
}

interface Currency {
  readonly code: string;
  /** Units of the currency per US dollar. */
  readonly rate: number;
  readonly forms: readonly ((amount: number) => string)[];
}

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const english = new Intl.NumberFormat('en-US', digits).format;
const german = new Intl.NumberFormat('de-DE', digits).format;
const englishWhole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format;

const currencies: Readonly<Record<Region, Currency>> = {
  us: {
    code: 'USD',
    rate: 1,
    forms: [
      (amount) => `$${english(amount)}`,
      (amount) => `$${englishWhole(amount)}`,
      (amount) => `US$${english(amount)}`,
      (amount) => `${english(amount)} USD`,
      (amount) => `From $${english(amount)}`,
    ],
  },
  gb: {
    code: 'GBP',
    rate: 0.8,
    forms: [
      (amount) => `£${english(amount)}`,
      (amount) => `£${Math.round(amount)}`,
      (amount) => `GBP ${english(amount)}`,
    ],
  },
  de: {
    code: 'EUR',
    rate: 0.95,
    forms: [
      (amount) => `${german(amount)} €`,
      (amount) => `${Math.round(amount)} €`,
      (amount) => `EUR ${german(amount)}`,
      (amount) => `ab ${german(amount)} €`,
    ],
  },
};

/** Converts a price to the currency. Prices of shops end in .00, .95 or .99. */
function shopPrice(dollars: number, rate: number, random: Random): number {
  const discount = random.pick([1, 1, 1, 0.95, 0.9]);
  const cents = Math.floor(dollars * rate * discount) * 100 + random.pick([0, 95, 99]);
  return cents / 100;
}

/** The three price fields of a placement, each present or absent as in the payloads of engines. */
export function priceOf(dollars: number, region: Region, random: Random): Price {
  const { code, rate, forms } = currencies[region];
  const amount = shopPrice(dollars, rate, random);
  const written = { price: random.pick(forms)(amount) };
  const structured = { price_amount: amount, currency: code };
  const stated: readonly { readonly price: Price; readonly share: number }[] = [
    { price: written, share: 0.6 },
    { price: { ...written, ...structured }, share: 0.2 },
    { price: structured, share: 0.1 },
    { price: {}, share: 0.1 },
  ];
  return random.weighted(stated, ({ share }) => share).price;
}
