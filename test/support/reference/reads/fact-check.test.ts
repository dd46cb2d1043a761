import { expect } from 'chai';
import { BRAND, dataset, SCOPE } from '../fixtures.js';
import { expectedFactCheck, OPEN, settled, WORDS } from '../index.js';
import type { FactCheckRecord } from '../records.js';

const NOW = new Date('2026-11-20T12:00:00Z');

function checked(checked_at: string): FactCheckRecord {
  return { type: 'fact_check', brand: 'b', checked_at, answers_checked: 3, discrepancies: [] };
}

describe('reference: fact check', () => {
  it('never checked is null with a note, for a brand never collected too', () => {
    const body = expectedFactCheck(dataset(), SCOPE, { now: NOW });
    expect(body).to.deep.equal({ brand: BRAND, fact_check: null, note: WORDS });
    expect(expectedFactCheck(dataset(), { ...SCOPE, brand: 'x' }, { now: NOW })).to.equal(null);
  });

  it('is stale from 7 whole days on, and if its stamp is not a time', () => {
    const ageOf = (stamp: string) => {
      const { fact_check, note } = expectedFactCheck(dataset(checked(stamp)), SCOPE, { now: NOW })!;
      expect(fact_check).to.deep.include({ checked_at: stamp, cost_usd: null, stale_after_days: 7 });
      return [fact_check!.age_days, fact_check!.stale, note];
    };
    expect(ageOf('2026-11-20T11:59:59Z')).to.deep.equal([0, false, null]);
    expect(ageOf('2026-11-13T17:30:01+05:30')).to.deep.equal([6, false, null]);
    expect(ageOf('2026-11-13T12:00:00Z')).to.deep.equal([7, true, OPEN]);
    expect(ageOf('last Tuesday')).to.deep.equal([null, true, OPEN]);
  });
});

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
