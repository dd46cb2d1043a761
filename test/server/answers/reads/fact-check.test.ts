import { expect } from 'chai';
import fc from 'fast-check';
import type { FactCheck } from '../../../../src/contract/reads/fact-check.js';
import { instantOf, wholeDaysSince } from '../../../../src/server/answers/reads/fact-check.js';
import { fresh } from '../../../support/hooks.js';
import { marketServer, runOf } from './support/market-server.js';

const found = { engine: 'grok', claim: 'C', truth: 'T', severity: 'high' };
const check = (checked_at: string, more: object = {}) => ({
  type: 'fact_check',
  brand: 'b',
  checked_at,
  answers_checked: 3,
  discrepancies: [found],
  ...more,
});

describe('read: fact-check', () => {
  const server = fresh(marketServer);

  const read = () => server.body<FactCheck>('fact-check');

  it('returns null with a note for a brand that was never checked', async () => {
    await server.collect();
    const { fact_check, note } = await read();
    expect(fact_check).to.equal(null);
    expect(note).to.match(/never checked/);
  });

  it('returns the result as stored', async () => {
    await server.collect(check('2026-11-18T12:00:00Z', { cost_usd: 0.0123 }));
    expect(await read()).to.deep.include({
      fact_check: {
        checked_at: '2026-11-18T12:00:00Z',
        answers_checked: 3,
        stale: false,
        age_days: 2,
        stale_after_days: 7,
        cost_usd: 0.0123,
        discrepancies: [{ ...found, run_id: null }],
      },
      note: null,
    });
  });

  it('names the answer of a claim only if the answer is kept', async () => {
    const claims = ['r', 'deleted'].map((run_id) => ({ ...found, run_id }));
    await server.collect(
      check('2026-11-18T12:00:00Z', { discrepancies: [...claims, found] }),
      runOf('r', {}),
    );
    const { fact_check } = await read();
    expect(fact_check!.discrepancies.map(({ run_id }) => run_id)).to.deep.equal(['r', null, null]);
  });

  it('computes age and staleness at the time of each request', async () => {
    await server.collect(check('2026-11-20T12:00:00Z'));
    const age = async (now: string) => {
      server.now = new Date(Date.parse(now) - 1000);
      const { fact_check } = await read();
      return [fact_check!.age_days, fact_check!.stale];
    };
    expect(await age('2026-11-20T12:00:01Z')).to.deep.equal([0, false]);
    expect(await age('2026-11-21T11:59:59.999Z')).to.deep.equal([0, false]);
    expect(await age('2026-11-21T12:00:00Z')).to.deep.equal([1, false]);
    expect(await age('2026-11-27T11:59:59.999Z')).to.deep.equal([6, false]);
    expect(await age('2026-11-27T12:00:00Z')).to.deep.equal([7, true]);
  });

  it('returns no age and stale for an unreadable timestamp, and null for an unknown cost', async () => {
    await server.collect(check('last Tuesday'));
    const { fact_check, note } = await read();
    expect(fact_check).to.include({
      checked_at: 'last Tuesday',
      age_days: null,
      stale: true,
      cost_usd: null,
    });
    expect(note).to.match(/cannot be read/);
  });
});

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
