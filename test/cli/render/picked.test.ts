import { expect } from 'chai';
import fc from 'fast-check';
import { firstRows, picked } from '../../../src/cli/render/picked.js';
import { nullable, number, object, text } from '../../../src/contract/schema.js';

describe('the fields and the order of rows', () => {
  const schema = object({ name: text(''), value: nullable(number('')) });
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const rows = fc.array(fc.record({ name: fc.string(), value: fc.option(finite, { nil: null }) }));

  for (const direction of ['asc', 'desc'] as const) {
    it(`sorts numbers ${direction}, null last, and keeps the order of equal rows`, () => {
      fc.assert(
        fc.property(rows, (given) => {
          const sorted = firstRows(given, picked(schema, { sort: `value:${direction}` }));
          const values = sorted.map(({ value }) => value);
          const measured = values.filter((value) => value !== null);
          expect(values.slice(measured.length).every((value) => value === null)).to.equal(true);
          const sign = direction === 'asc' ? 1 : -1;
          for (let at = 1; at < measured.length; at++)
            expect(sign * measured[at]!).to.be.at.least(sign * measured[at - 1]!);
          for (const value of new Set(values)) {
            const same = (of: typeof sorted) => of.filter((row) => row.value === value);
            expect(same(sorted)).to.deep.equal(same(given));
          }
        }),
      );
    });
  }

  it('sorts texts by code point, ascending without a direction', () => {
    const given = ['b', '\u{1F600}', 'a', '\uFFFD'].map((name) => ({ name, value: null }));
    const names = firstRows(given, picked(schema, { sort: 'name' })).map(({ name }) => name);
    expect(names).to.deep.equal(['a', 'b', '\uFFFD', '\u{1F600}']);
  });

  for (const [flags, message, hint] of [
    [
      { fields: 'name,vale' },
      '--fields: unknown field: vale. Did you mean value?',
      'Known fields: name, value.',
    ],
    [{ fields: 'name,' }, '--fields: unknown field: an empty name.', 'Known fields: name, value.'],
    [{ sort: 'size' }, '--sort: unknown field: size.', 'Known fields: name, value.'],
    [
      { sort: 'value:down' },
      '--sort value:down: the direction down is not asc or desc.',
      'As in: --sort value:desc',
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(flags)} with what is allowed`, () => {
      expect(() => picked(schema, flags))
        .to.throw(message)
        .with.include({ kind: 'usage', hint });
    });
  }
});
