import { expect } from 'chai';
import { pointState, promptState } from '../../src/sdk/index.js';

describe('what null and zero mean', () => {
  it('a prompt without a run in the window was never sampled', () => {
    expect(promptState({ run_count: 0, presence_rate: null })).to.equal('never_sampled');
  });

  it('a prompt with runs and rate 0 was sampled, and the brand absent every time', () => {
    expect(promptState({ run_count: 8, presence_rate: 0 })).to.equal('absent');
  });

  it('a prompt with a rate above 0 shows the brand', () => {
    expect(promptState({ run_count: 8, presence_rate: 0.125 })).to.equal('present');
  });

  it('a point is measured also where its value is 0', () => {
    expect(pointState({ value: 0, sample_size: 3 })).to.equal('measured');
  });

  it('a point without a value tells a day with runs from a day without', () => {
    expect(pointState({ value: null, sample_size: 3 })).to.equal('unmeasurable');
    expect(pointState({ value: null, sample_size: 0 })).to.equal('not_collected');
  });
});
