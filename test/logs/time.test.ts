import { expect } from 'chai';
import fc from 'fast-check';
import { clfTime, rfc3339Time, zoneOffset } from '../../src/logs/time.js';
import { combined, parseText } from './support/parse.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;

const two = (value: number) => String(value).padStart(2, '0');
/** A zone as logs write it, with its offset in minutes. */
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', 'UTC', 'GMT').map((text) => ({ text, offset: 0 })),
  fc
    .record({
      sign: fc.constantFrom(1, -1),
      hours: fc.nat(23),
      minutes: fc.nat(59),
      form: fc.constantFrom('hhmm', 'hh:mm', 'hh'),
    })
    .map(({ sign, hours, minutes, form }) => ({
      text: `${sign < 0 ? '-' : '+'}${two(hours)}${form === 'hh' ? '' : `${form === 'hh:mm' ? ':' : ''}${two(minutes)}`}`,
      offset: sign * (hours * 60 + (form === 'hh' ? 0 : minutes)),
    })),
);

describe('the time of a log line', () => {
  it('has the same zones in every format', () => {
    fc.assert(
      fc.property(zone, fc.constantFrom('', '.25', ',250'), ({ text, offset }, fraction) => {
        const time = NOON - offset * MINUTE + (fraction === '' ? 0 : 250);
        expect(zoneOffset(text)).to.equal(offset * MINUTE);
        expect(clfTime(`20/Nov/2026:12:00:00${fraction} ${text}`)).to.equal(time);
        expect(rfc3339Time(`2026-11-20T12:00:00${fraction}${text}`)).to.equal(time);
        const { hits } = parseText(combined({ time: `20/Nov/2026:12:00:00${fraction} ${text}` }));
        expect(hits.map((hit) => hit.time)).to.deep.equal([time]);
      }),
    );
  });

  it('needs a zone in the common log format, and one that exists', () => {
    for (const text of ['', ' ', ' CET', ' +2', ' +2400', ' +0160', ' +02:', ' 0200'])
      expect(clfTime(`20/Nov/2026:12:00:00${text}`), text).to.be.NaN;
    expect(clfTime('20/Nov/2026:12:00:00', true)).to.equal(NOON);
  });
});
