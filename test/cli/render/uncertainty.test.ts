import { expect } from 'chai';
import { radiusMeans, withRadius } from '../../../src/cli/render/uncertainty.js';

describe('a value with its interval', () => {
  it('has one number where both bounds are about as far, and both bounds where they are not', () => {
    expect(withRadius('visibility', 27.8, [25.5, 30])).to.equal('27.8 ± 2.3');
    expect(withRadius('citation_share', 0.047, [0.034, 0.064])).to.equal('4.7 (3.4–6.4)');
    expect(withRadius('visibility', 27.8, null)).to.equal('27.8');
  });

  it('is the same of a read that rounds the value and of one that does not', () => {
    for (const value of [0.17667844522968199, 0.177])
      expect(withRadius('citation_share', value, [0.131, 0.234])).to.equal('17.7 ± 5.7');
  });

  it('of nothing and of everything is the other bound, which a footnote explains', () => {
    expect(withRadius('presence_rate', 0, [0, 0.106])).to.equal('at most 10.6');
    expect(withRadius('presence_rate', 1, [0.912, 1])).to.equal('at least 91.2');
    expect(withRadius('sentiment_index', 100, [88.4, 100])).to.equal('at least 88.4');
    // One percent of 100 points is no end of its scale.
    expect(withRadius('visibility', 1, [0.4, 1.6])).to.equal('1.0 ± 0.6');
    expect(withRadius('presence_rate', 0, [0, 0])).to.equal('0.0 ± 0.0');
    const [atMost] = radiusMeans('presence_rate', 0, [0, 0.106]);
    expect(atMost).to.match(/^at most, at least: /);
    expect(radiusMeans('presence_rate', 0.5, [0.4, 0.6])).to.not.include(atMost);
  });
});
