/** The tools that the conformance suite calls, as far as this endpoint has their kind of answer: one text block. */
import { errors } from '../../../../../src/contract/errors.js';
import { refuse } from '../../../../../src/server/base/errors.js';
import { READS_ONLY, type Tool } from '../../../../../src/server/web/mcp/tools.js';

export const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

/** Keywords of JSON Schema 2020-12 that a listing must not lose. */
const ADDRESSED = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

/** A tool that does what a test wants. */
export const fixture = (name: string, inputSchema: Tool['inputSchema'], call: Tool['call']): Tool => ({
  name,
  title: name,
  description: `The fixture ${name}.`,
  inputSchema,
  outputSchema: { type: 'object' },
  annotations: READS_ONLY,
  call,
});

export const fixtureTools: readonly Tool[] = [
  fixture('test_simple_text', NO_ARGUMENTS, async () =>
    JSON.stringify({ text: 'This is a simple text response for testing.' }),
  ),
  fixture('test_error_handling', NO_ARGUMENTS, async () => {
    throw refuse(errors.noBrands());
  }),
  fixture('json_schema_2020_12_tool', ADDRESSED, async () => '{}'),
];
