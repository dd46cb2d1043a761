import { expect } from 'chai';
import { openingOf } from '../../src/contract/opening.js';
import type { Overview } from '../../src/contract/reads/overview.js';

type Verdict = Overview['change']['presence_rate']['verdict'];

/** Opens on scorecards by their days; what is not stated has answers and no verdict. */
async function opened(
  verdicts: { [days: number]: Verdict },
  answered: (days: number) => boolean = () => true,
  collected?: number,
) {
  const asked: number[] = [];
  const { days } = await openingOf(async (length) => {
    asked.push(length);
    const verdict = verdicts[length] ?? 'unknown';
    return {
      run_count: Number(answered(length)),
      change: { presence_rate: { verdict } } as Overview['change'],
    };
  }, collected);
  return { days, asked };
}

describe('the window on which faces for people open', () => {
  it('is the longest that has a verdict of presence, in a request for each length', async () => {
    const all = { 56: 'up', 28: 'no_clear_change', 14: 'down', 7: 'up' } as const;
    expect(await opened(all)).to.deep.equal({ days: 56, asked: [56] });
    expect(await opened({ ...all, 56: 'unknown' })).to.deep.equal({ days: 28, asked: [56, 28] });
    expect(await opened({ 14: 'down', 7: 'up' })).to.deep.equal({ days: 14, asked: [56, 28, 14] });
    expect(await opened({ 7: 'no_clear_change' })).to.deep.equal({ days: 7, asked: [56, 28, 14, 7] });
  });

  it('is the shortest that has answers while none has a verdict, and 28 days without any answer', async () => {
    expect((await opened({})).days).to.equal(7);
    expect(await opened({}, (days) => days >= 28)).to.deep.equal({ days: 28, asked: [56, 28, 14] });
    expect(await opened({}, () => false)).to.deep.equal({ days: 28, asked: [56, 28] });
  });

  it('asks for no window whose days before cannot have a verdict', async () => {
    const young = (collected: number) => (days: number) => days <= 7 || collected > 7;
    // 28 days need 17 days in a row before, 14 and 7 days need 4.
    expect(await opened({ 28: 'up' }, undefined, 60)).to.deep.equal({ days: 28, asked: [28] });
    expect(await opened({ 56: 'up' }, undefined, 73)).to.deep.equal({ days: 56, asked: [56] });
    expect(await opened({ 14: 'up' }, undefined, 44)).to.deep.equal({ days: 14, asked: [14] });
    expect(await opened({}, young(3), 3)).to.deep.equal({ days: 7, asked: [7] });
    expect(await opened({}, (days) => days >= 28, 40)).to.deep.equal({ days: 28, asked: [14, 28] });
    expect(await opened({}, () => false, 0)).to.deep.equal({ days: 28, asked: [28] });
  });
});
