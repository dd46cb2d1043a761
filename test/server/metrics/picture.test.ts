import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { intervalsPicture } from '../../../scripts/generate/intervals-picture.js';

describe('docs/intervals.svg', () => {
  it('is what `npm run generate` writes', () => {
    const committed = readFileSync(new URL('../../../docs/intervals.svg', import.meta.url), 'utf8');
    expect(committed).to.equal(intervalsPicture());
  });

  it('shows that naive intervals miss the true rate more often than 1 in 20', () => {
    const [naive, clustered] = [...intervalsPicture().matchAll(/(\d+) of 100 miss/g)].map(([, n]) =>
      Number(n),
    );
    expect(naive).to.be.above(10);
    expect(clustered).to.be.at.most(8);
  });
});
