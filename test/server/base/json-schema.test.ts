import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  count,
  flag,
  fraction,
  list,
  nullable,
  object,
  oneOf,
  oneOfOrNewer,
  pair,
  text,
} from '../../../src/contract/schema.js';
import { argumentsSchema, jsonSchemaOf, responseSchema } from '../../../src/server/base/json-schema.js';

const ajv = new Ajv2020({ strict: true });
const response = (schema: Parameters<typeof responseSchema>[0]) => ajv.compile(responseSchema(schema));

describe('the schemas', () => {
  const body = object({
    name: text('Name'),
    runs: count('Runs'),
    rate: nullable(fraction('Rate; null: not measured')),
    on: flag('On'),
    kind: oneOf(['a', 'b'], 'Kind'),
    label: oneOfOrNewer(['a', 'b'], 'Label'),
    band: pair(count('Bound'), 'Band'),
    rows: list(object({ id: text('Id') }), 'Rows'),
  });
  const good = {
    name: '',
    runs: 0,
    rate: null,
    on: false,
    kind: 'a',
    label: 'newer',
    band: [1, 2],
    rows: [{ id: 'x' }],
  };

  it('accept a body of the contract, with additive fields at every depth', () => {
    const validate = response(body);
    expect(validate(good)).to.equal(true);
    expect(validate({ ...good, more: 1, rows: [{ id: 'x', more: 1 }] })).to.equal(true);
  });

  it('refuse a body that breaks the contract', () => {
    const validate = response(body);
    for (const wrong of [
      { name: null },
      { runs: -1 },
      { runs: 1.5 },
      { rate: 1.1 },
      { on: 'true' },
      { kind: 'newer' },
      { band: [1] },
      { rows: [{}] },
      { rate: undefined },
    ])
      expect(validate({ ...good, ...wrong }), JSON.stringify(wrong)).to.equal(false);
  });

  it('for arguments are closed, typed, and state which arguments are required', () => {
    const schema = jsonSchemaOf(
      argumentsSchema({
        days: { kind: 'choice', values: [7, 14], description: 'Days' },
        metric: { kind: 'choice', values: ['x', 'y'], required: true, description: 'Metric' },
        from: { kind: 'date', description: 'From' },
        limit: { kind: 'integer', minimum: 1, maximum: 5, description: 'Limit' },
        on: { kind: 'boolean', description: 'On' },
      }),
    );
    expect(schema).to.deep.include({ required: ['metric'], additionalProperties: false });
    const validate = ajv.compile(schema);
    expect(validate({ metric: 'x', days: 7, from: '2026-01-01', limit: 5, on: true })).to.equal(true);
    for (const wrong of [
      {},
      { metric: 'z' },
      ...[{ days: '7' }, { from: 1 }, { limit: 6 }, { on: 1 }, { more: 1 }].map((each) => ({
        metric: 'x',
        ...each,
      })),
    ])
      expect(validate(wrong), JSON.stringify(wrong)).to.equal(false);
  });
});
