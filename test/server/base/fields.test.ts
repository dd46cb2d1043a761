import { expect } from 'chai';
import fc from 'fast-check';
import { isoTime, time } from '../../../src/server/base/fields.js';

describe('dataset: a time', () => {
  it('is stored as the instant that it names, in every spelling of RFC 3339', () => {
    const instant = fc.date({
      noInvalidDate: true,
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2999-12-30T00:00:00Z'),
    });
    const zone = fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-23:59');
    const fraction = fc.constantFrom('', '.5', '.25', '.125', '.000', '.1239');
    fc.assert(
      fc.property(instant, zone, fraction, fc.constantFrom('T', 't'), (date, offset, part, separator) => {
        const seconds = date.toISOString().slice(0, 19);
        const spelled = `${seconds.replace('T', separator)}${part}${offset}`;
        expect(time.parse(spelled)).to.equal(spelled);
        const instantOf = Date.parse(`${seconds}${part}${offset.toUpperCase()}`);
        expect(isoTime(spelled)).to.equal(new Date(instantOf).toISOString());
      }),
      { numRuns: 500 },
    );
  });
});
