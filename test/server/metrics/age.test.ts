import { expect } from 'chai';
import fc from 'fast-check';
import { instantOf, wholeDaysSince } from '../../../src/server/metrics/age.js';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('metric: the age of a timestamp', () => {
  const readable: [stamp: string, instant: string][] = [
    ['2026-11-19T12:00:00Z', '2026-11-19T12:00:00Z'],
    ['2026-11-19T14:00:00.5+02:00', '2026-11-19T12:00:00.5Z'],
    ['2026-11-19 12:00:00+00', '2026-11-19T12:00:00Z'],
    ['2026-11-19T06:30:00-0530', '2026-11-19T12:00:00Z'],
    ['2026-11-19T12:00', '2026-11-19T12:00:00Z'],
    ['2026-11-19', '2026-11-19T00:00:00Z'],
  ];
  for (const [stamp, instant] of readable) {
    it(`can be computed from ${stamp}`, () => expect(instantOf(stamp)).to.equal(Date.parse(instant)));
  }

  for (const stamp of [
    '',
    'last Tuesday',
    '2026',
    'check 7',
    '2026-02-30T00:00:00Z',
    '2026-11-19T25:00:00Z',
    '19.11.2026',
  ]) {
    it(`is null for ${stamp || 'an empty text'}`, () => expect(wholeDaysSince(stamp, NOW)).to.equal(null));
  }

  it('is in whole days, and 0 for the future', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e10 }), (milliseconds) => {
        const stamp = new Date(NOW.getTime() - milliseconds).toISOString();
        const days = wholeDaysSince(stamp, NOW)!;
        expect(days).to.equal(Math.max(0, Math.floor(milliseconds / 86_400_000)));
      }),
    );
  });
});
