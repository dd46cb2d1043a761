import { expect } from 'chai';
import fc from 'fast-check';
import { foldedText, isEcho } from '../../../src/server/metrics/echo.js';

describe('an echo of a prompt', () => {
  const prompt = 'What’s the best CRM, for small teams?';

  it('may differ in case, white space and punctuation', () => {
    for (const query of [
      prompt,
      'what’s the best crm for small teams',
      'WHATS THE BEST CRM FOR SMALL TEAMS',
      '  "what\'s the\tbest  crm — for small-teams!?" ',
      'what’s the best ＣＲＭ for\u00a0small teams',
    ]) {
      expect(isEcho(query, [prompt]), query).to.equal(true);
    }
  });

  it('must not differ in a word, a number, a symbol or an accent', () => {
    for (const query of [
      'what’s the best crm for teams',
      `${prompt} 2026`,
      'whats the best crm för small teams',
    ])
      expect(isEcho(query, [prompt]), query).to.equal(false);
    expect(isEcho('learn c', ['learn c++'])).to.equal(false);
  });

  it('may differ in the case of letters without a simple other case', () => {
    for (const query of ['STRASSE', 'Straße', 'STRAẞE']) expect(isEcho(query, ['strasse?'])).to.equal(true);
  });

  it('repeats at least one of several prompts', () => {
    expect(isEcho('best crm', ['cheapest crm', 'Best CRM?'])).to.equal(true);
    expect(isEcho('best crm', [])).to.equal(false);
  });

  it('is also recognised in normalised text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldedText(foldedText(text))).to.equal(foldedText(text));
        expect(isEcho(text, [foldedText(text)])).to.equal(true);
        expect(isEcho(` ${text}?`, [text.toUpperCase()])).to.equal(true);
      }),
    );
  });
});
