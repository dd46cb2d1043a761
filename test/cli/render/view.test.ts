import { expect } from 'chai';
import { usd } from '../../../src/cli/render/view.js';

describe('US dollars', () => {
  it('have the decimals of a call, and are 0 only for nothing', () => {
    const texts = [0, 0.00002, 0.0001, 0.0123, 0.99996, 1, 12.4].map(usd);
    expect(texts).to.deep.equal(['$0.00', '<$0.0001', '$0.0001', '$0.0123', '$1.0000', '$1.00', '$12.40']);
  });
});
