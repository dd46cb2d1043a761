import { expect } from 'chai';
import { replyJson, roundedUsd, tokenCost } from '../../../src/server/base/language-model.js';

describe('the JSON in a reply', () => {
  it('is the text, or the content of a code fence around it', () => {
    for (const text of ['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', '\n```\n{"a":1}\n```\n'])
      expect(replyJson(text), text).to.deep.equal({ a: 1 });
  });

  it('is undefined for any other text', () => {
    for (const text of ['', 'Here it is: {"a":1}', '```json\n{"a":\n```', '```{"a":1}```'])
      expect(replyJson(text), text).to.equal(undefined);
  });
});

const prices = { inputUsdPerMtok: 0.15, outputUsdPerMtok: 0.6 };

describe('the cost of tokens', () => {
  it('is their number times the price of a million', () => {
    expect(roundedUsd(tokenCost([{ input: 2000, output: 500 }], prices)!)).to.equal(0.0006);
    expect(tokenCost([{ input: 0, output: 0 }], prices)).to.equal(0);
    expect(
      tokenCost(
        [
          { input: 1e6, output: 0 },
          { input: 0, output: 1e6 },
        ],
        prices,
      ),
    ).to.equal(0.75);
  });

  it('is null, not zero, if a number or a price is not stated', () => {
    expect(tokenCost([{ input: null, output: 1 }], prices)).to.equal(null);
    expect(tokenCost([{ input: 1, output: null }], prices)).to.equal(null);
    expect(tokenCost([{ input: 1, output: 1 }], { ...prices, outputUsdPerMtok: null })).to.equal(null);
  });

  it('is rounded to 1e-8', () => {
    expect(roundedUsd(0.1 + 0.2)).to.equal(0.3);
    expect(roundedUsd(0.000_000_004)).to.equal(0);
  });
});
