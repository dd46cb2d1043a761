import { expect } from 'chai';
import fc from 'fast-check';
import { sparkline } from '../../../../src/cli/render/chart.js';

const bounds = { floor: 0, ceiling: 100, leastSpan: 10 };

describe('a sparkline', () => {
  it('has a character per value, and a dot exactly for days that were not measured', () => {
    const value = fc.option(fc.integer({ min: 0, max: 100 }));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const line = sparkline(values, bounds);
        if (values.every((one) => one === null)) expect(line).to.equal('');
        else expect([...line].map((tick) => tick === '·')).to.deep.equal(values.map((one) => one === null));
      }),
    );
  });

  it('increases with the values, from the lowest block to the highest', () => {
    expect(sparkline([0, 10, 20, 30, 40, 50, 60, 70], bounds)).to.equal('▁▂▃▄▅▆▇█');
    expect(sparkline([0, null, 100], bounds)).to.equal('▁·█');
  });

  it('shows small changes as small', () => {
    expect(sparkline([50, 50.2, 50], bounds)).to.match(/^[▄▅]{3}$/);
  });
});
