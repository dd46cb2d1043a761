import { expect } from 'chai';
import { pointState, promptState } from '../../src/sdk/index.js';

describe('the state of a prompt or point', () => {
  it('is never_sampled for a prompt without a run in the window', () => {
    expect(promptState({ run_count: 0, presence_rate: null })).to.equal('never_sampled');
  });

  it('is absent for a prompt with runs and rate 0', () => {
    expect(promptState({ run_count: 8, presence_rate: 0 })).to.equal('absent');
  });

  it('is present for a prompt with a rate above 0', () => {
    expect(promptState({ run_count: 8, presence_rate: 0.125 })).to.equal('present');
  });

  it('is measured for a point with value 0', () => {
    expect(pointState({ value: 0, sample_size: 3 })).to.equal('measured');
  });

  it('distinguishes days with and without runs for a point without a value', () => {
    expect(pointState({ value: null, sample_size: 3 })).to.equal('unmeasurable');
    expect(pointState({ value: null, sample_size: 0 })).to.equal('not_collected');
  });
});
