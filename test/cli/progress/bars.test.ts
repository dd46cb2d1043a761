import { expect } from 'chai';
import { barLine, roomAfter } from '../../../src/cli/progress/bars.js';

describe('the redrawn last line', () => {
  const facts = ['3/10', '$1.20', '12 calls'];

  it('is never wider than the terminal, drops the last facts first, and a bar that is too short', () => {
    expect(barLine(0.3, facts, 1, 80)).to.equal(`${'█'.repeat(9)}${'░'.repeat(21)} 3/10 · $1.20 · 12 calls`);
    expect(barLine(0.3, facts, 1, 24)).to.equal('3/10 · $1.20 · 12 calls');
    expect(barLine(0.3, facts, 1, 20)).to.equal('3/10 · $1.20');
    expect(barLine(0.3, facts, 1, 3)).to.equal('3/1');
    expect(barLine(null, facts, 1, 80)).to.equal('3/10 · $1.20 · 12 calls');
    for (let width = 1; width < 100; width++)
      expect(barLine(2, facts, 2, width)).to.have.length.at.most(width);
  });

  it('has room for a further fact behind its separator', () => {
    const width = 40;
    const more = 'x'.repeat(roomAfter(facts, width));
    expect(barLine(null, [...facts, more], 1, width)).to.have.length(width);
  });
});
