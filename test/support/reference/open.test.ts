import { expect } from 'chai';
import { OPEN, settled, WORDS } from './index.js';

describe('reference: what is settled before a comparison', () => {
  it('only open values, wording and the spelling of instants are taken from the expected body', () => {
    const expected = { note: WORDS, ads: [{ captured_at: '2026-11-20T12:00:00.000Z', price: OPEN, n: 1 }] };
    const served = {
      note: 'Any words.',
      ads: [{ captured_at: '2026-11-20T17:30:00+05:30', price: null, n: 1 }],
    };
    expect(settled(served, expected)).to.deep.equal(expected);
    for (const wrong of [
      { ...served, note: null },
      { ...served, note: '' },
      { ...served, more: 1 },
      { ...served, ads: [] },
      { ...served, ads: [{ captured_at: '2026-11-20T12:00:00.000Z', n: 1 }] },
      { ...served, ads: [{ captured_at: '2026-11-20T12:00:01.000Z', price: 5, n: 1 }] },
      { ...served, ads: [{ captured_at: '2026-11-20T12:00:00.000Z', price: 5, n: 2 }] },
    ]) {
      expect(settled(wrong, expected)).not.to.deep.equal(expected);
    }
  });
});
