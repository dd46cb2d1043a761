import { expect } from 'chai';
import fc from 'fast-check';
import { parsePrice } from '../../../../src/server/answers/metrics/price.js';

const cases: [text: string, amount: number | null, currency: string | null][] = [
  ['1.299,00', 1299, null],
  ['1,299.00', 1299, null],
  ['1.299,00 €', 1299, 'EUR'],
  ['EUR 1.299,00', 1299, 'EUR'],
  ['ab 1.299,00 €', 1299, 'EUR'],
  ['$1,299.00', 1299, null],
  ['$19.99', 19.99, null],
  ['From $499', 499, null],
  ['US$1,299.50', 1299.5, 'USD'],
  ['1,299.00 USD', 1299, 'USD'],
  ['$1,299.00 USD', 1299, 'USD'],
  ['USD $499', 499, 'USD'],
  ['£12', 12, 'GBP'],
  ['12,5 zł', 12.5, 'PLN'],
  ['R$ 1.299,90', 1299.9, 'BRL'],
  ['₹1,29,900.00', 129900, 'INR'],
  ['1 299,00 €', 1299, 'EUR'],
  ['1\u00a0299\u00a0€', 1299, 'EUR'],
  ['1\u202f299,50 €', 1299.5, 'EUR'],
  ["CHF 1'299.50", 1299.5, 'CHF'],
  ['1,299,000', 1299000, null],
  ['1.299.000 ₫', 1299000, 'VND'],
  ['1299,-', 1299, null],
  ['1.299,–', 1299, null],
  ['0.299', 0.299, null],
  ['1299.9', 1299.9, null],
  ['¥4980', 4980, null],
  ['499 kr', 499, null],
  // More than one possible reading.
  ['1.299', null, null],
  ['1,299', null, null],
  ['$1,299', null, null],
  ['1.299 €', null, 'EUR'],
  ['$10 – $20', null, null],
  ['$10-20', null, null],
  ['2 for $5', null, null],
  ['20% off', null, null],
  ['$1.5k', null, null],
  ['-$5', null, null],
  ['$.99', null, null],
  ['1.2,3.4', null, null],
  ['12.34.56', null, null],
  ['1,29.900', null, null],
  ["0,0'0", null, null],
  ['1.299,0 0 €', null, 'EUR'],
  ['€5 / £4', null, null],
  ['Free', null, null],
  ['', null, null],
  ['Z$5', 5, null],
];

describe('metric: a price', () => {
  for (const [text, amount, currency] of cases) {
    it(`of ${text || 'no text'} is ${amount ?? 'unknown'}${currency ? ` ${currency}` : ''}`, () => {
      expect(parsePrice(text)).to.deep.equal({ amount, currency });
    });
  }

  const cents = fc.integer({ min: 0, max: 999_999_999 });

  it('is the written amount for every amount with cents, in English, German, French and Swiss form', () => {
    fc.assert(
      fc.property(cents, fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH'), (amount, locale) => {
        const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(amount / 100);
        expect(parsePrice(`EUR ${written}`)).to.deep.equal({ amount: amount / 100, currency: 'EUR' });
      }),
    );
  });

  it('is a non-negative amount or null for any text, without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[\d., €$'-]{0,12}$/)),
        (text) => {
          const { amount } = parsePrice(text);
          expect(amount === null || (Number.isFinite(amount) && amount >= 0)).to.equal(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is null for a text with two prices', () => {
    fc.assert(
      fc.property(cents, cents, fc.constantFrom(' - ', ' / ', ' to ', '–'), (low, high, between) => {
        expect(parsePrice(`$${low / 100}${between}$${high / 100}`).amount).to.equal(null);
      }),
    );
  });
});
