import { expect } from 'chai';
import fc from 'fast-check';
import type { Params } from '../../../src/contract/params.js';
import { parseParams } from '../../../src/server/answers/parameters.js';
import { RefusedError } from '../../../src/server/base/errors.js';

const declared: Params = {
  brand: { kind: 'text', description: '' },
  limit: { kind: 'integer', description: '', minimum: 1, maximum: 200 },
};

function refusalOf(raw: Record<string, string | string[]>): string {
  try {
    parseParams(declared, raw);
  } catch (error) {
    expect(error).to.be.instanceOf(RefusedError);
    expect((error as RefusedError).refusal.status).to.equal(400);
    return (error as RefusedError).refusal.message;
  }
  throw new Error('was not refused');
}

describe('parameters', () => {
  it('are typed if they are declared, ignored if not, and absent if they were not sent', () => {
    expect(parseParams(declared, { brand: 'b', limit: '7', other: ['x', 'y'] })).to.deep.equal({
      brand: 'b',
      limit: 7,
    });
    expect(parseParams(declared, {})).to.deep.equal({});
    expect(parseParams(declared, { brand: '' })).to.deep.equal({ brand: '' });
  });

  it('accept every integer in the range, written as digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (limit) => {
        expect(parseParams(declared, { limit: String(limit) })).to.deep.equal({ limit });
      }),
    );
  });

  it('refuse any other text with the received and the allowed values', () => {
    const other = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
    fc.assert(
      fc.property(
        other.filter((text) => !/^\+?0*([1-9]|[1-9]\d|1\d\d|200)$/.test(text)),
        (text) => {
          expect(refusalOf({ limit: text })).to.match(
            /^Invalid limit: [\s\S]+\. Give an integer from 1 to 200\.$/,
          );
        },
      ),
    );
  });

  it('refuse an integer with a sign or a leading zero', () => {
    for (const limit of ['+5', '05', '-0', '5.0', ' 5']) {
      expect(refusalOf({ limit })).to.equal(`Invalid limit: ${limit}. Give an integer from 1 to 200.`);
    }
  });

  it('are refused with name and count if they occur twice', () => {
    expect(refusalOf({ brand: ['a', 'a'] })).to.equal('Parameter brand was given 2 times. Give it once.');
    expect(refusalOf({ limit: ['1', '2', '3'] })).to.equal(
      'Parameter limit was given 3 times. Give it once.',
    );
  });
});
