import { expect } from 'chai';
import fc from 'fast-check';
import { responseHeaders } from '../../src/contract/response-headers.js';
import { everyType } from '../server/intake/dataset/support/all-types.js';
import {
  type DocumentedOperation,
  type DocumentedParameter,
  documentedOperations,
  faultOf,
  requiredQuery,
} from '../server/web/openapi/support/document.js';
import { OPERATOR_KEY } from '../support/server.js';
import { records } from './support/records.js';
import { ruleServer } from './support/rule-server.js';

/** What a terminal or a log viewer would execute. */
const CONTROLS = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/u;
const REQUESTS_PER_OPERATION = 40;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 120 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    'null',
    '\u0000',
    '\u001b[31m',
    '\u202e',
    '../..',
    "'",
    '💥',
    ',,',
  ),
);
const cursor = fc.jsonValue({ maxDepth: 2 }).map((value) => {
  const parts = Array.isArray(value) ? value : [value];
  return Buffer.from(JSON.stringify([1, 'prompts', 'b', ...parts])).toString('base64url');
});
const day = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Values of the data below, for lists that the document does not enumerate. */
const DATA_VALUES: Readonly<Record<string, string[]>> = {
  prompt: ['p', 'p1', 'p2'],
  topic: ['t', 'unknown'],
  tag: ['a', 'unknown'],
  region: ['us', 'gb'],
  surface: ['api', 'ui', 'serp', 'unknown'],
  run_id: ['r1', 'r2', 'unknown'],
  names: ['b', 'unknown'],
  without: ['b', 'unknown'],
};
const elementsOf = (name: string, { enum: values }: { enum?: readonly string[] }): string[] =>
  values ? [...values] : DATA_VALUES[name]!;

/** Values that the documented schema of a parameter allows. */
function allowed({ name, schema }: DocumentedParameter): fc.Arbitrary<string> {
  if (name === 'brand') return fc.constantFrom('b', 'first', 'uncollected', 'foreign', 'nobody');
  if (name === 'run_id') return fc.constantFrom(...DATA_VALUES.run_id!);
  if (name === 'cursor') return cursor;
  if (['from', 'to', 'since', 'until'].includes(name)) return day;
  if (name === 'url')
    return fc.constantFrom('https://acme.com/a', 'https://nowhere.example/page', 'acme.com');
  if (schema.const !== undefined) return fc.constant(String(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (schema.items) return fc.subarray(elementsOf(name, schema.items), { minLength: 1 }).map(String);
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum!, max: schema.maximum! }).map(String);
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
  return text;
}

/** A query: required parameters as a rule, others now and then, some of them wrong, unknown or repeated. */
function queryOf({ parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const declared = parameters
    .filter((each) => each.in === 'query')
    .map((each) => {
      const value = fc.oneof({ weight: 4, arbitrary: allowed(each) }, { weight: 1, arbitrary: text });
      const pair = fc.tuple(fc.constant(each.name), value);
      return fc.array(pair, { minLength: 0, maxLength: 1 + Number(each.required ?? false) });
    });
  const unknown = fc.tuple(fc.constantFrom('x', '__proto__', 'constructor', 'brand[]', 'LIMIT', ''), text);
  return fc
    .tuple(...declared, fc.array(unknown, { maxLength: 1 }))
    .map((pairs) => new URLSearchParams(pairs.flat()).toString());
}

const logLine =
  '192.0.2.1 - - [20/Nov/2026:09:14:03 +0000] "GET / HTTP/1.1" 200 1 "-" "Mozilla/5.0 (compatible; GPTBot/1.2)"\n';
const body = fc.oneof(
  fc.constantFrom('', ' \n', logLine, '{"content":"test"}', '[]', '{"user_agent":"GPTBot/1.0"}\n'),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const encoding = fc.constantFrom(
  undefined,
  undefined,
  'identity',
  'gzip',
  'br',
  'deflate',
  'zstd',
  'gzip, br',
  'z\u0085',
);

/** Both sets have the workspace `w`. */
const isWorkspace = (record: object): boolean => 'plan' in record && 'id' in record && record.id === 'w';

describe('rule: every response is one that the OpenAPI document describes', () => {
  const server = ruleServer({ data: [...everyType, ...records.filter((each) => !isWorkspace(each))] });
  const keys: { [kind: string]: string | null } = { operator: OPERATOR_KEY, none: null, unknown: 'svc_x' };
  before(async () => {
    for (const kind of ['full', 'read', 'ingest'] as const)
      keys[kind] = await server.key({ workspace: 'w', kind, name: kind });
    keys.bare = await server.key({ workspace: 'bare', kind: 'full', name: 'bare' });
  });

  const kind = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('operator', 'full') },
    { weight: 1, arbitrary: fc.constantFrom('none', 'unknown', 'read', 'ingest', 'bare') },
  );

  /** Sends a request and compares its response with the document; returns the status. */
  async function check(operation: DocumentedOperation, query: string, key: string, init: RequestInit) {
    server.now = new Date(server.now.getTime() + 1000);
    const response = await server.request(`${operation.path}?${query}`, keys[key], init);
    const said = await response.text();
    const { status } = response;
    const documented = operation.responses[status];
    expect(documented, `${status} ${said}`).to.not.equal(undefined);
    expect(status, said).to.be.below(500);
    for (const { name, occurs } of responseHeaders) {
      const mayHave = name in documented!.headers;
      if (response.headers.has(name)) expect(mayHave, `${status} ${name}`).to.equal(true);
      if (occurs === 'always') expect(response.headers.has(name), name).to.equal(true);
      if (occurs === 'keyed' && status < 400) expect(response.headers.has(name), name).to.equal(true);
    }
    const media = documented!.content?.['application/json'];
    if (media && init.method !== 'HEAD') {
      expect(response.headers.get('Content-Type')).to.equal('application/json');
      const value = JSON.parse(said) as { error?: string };
      expect(faultOf(media.schema, value), said).to.equal(null);
      if (value.error !== undefined) expect(value.error).to.not.match(CONTROLS);
    } else expect(said).to.equal('');
    return status;
  }

  for (const operation of documentedOperations) {
    it(`${operation.method} ${operation.path}`, async () => {
      const statuses = new Set<number>();
      const isRead = operation.method === 'get';
      const method = isRead ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant('POST');
      const condition = fc.constantFrom(undefined, undefined, undefined, '*', '"x"');
      const request = fc.record({ query: queryOf(operation), kind, method, condition, body, encoding });
      await fc.assert(
        fc.asyncProperty(request, async ({ query, kind: key, method: verb, condition: etag, ...log }) => {
          const headers = isRead
            ? etag && { 'If-None-Match': etag }
            : log.encoding && { 'Content-Encoding': log.encoding };
          const init = { method: verb, ...(headers && { headers }), ...(!isRead && { body: log.body }) };
          statuses.add(await check(operation, query, key, init));
        }),
        { numRuns: REQUESTS_PER_OPERATION },
      );
      expect(statuses.size, 'various statuses').to.be.above(1);
      expect(await check(operation, requiredQuery(operation), 'operator', plain(isRead))).to.equal(200);
    });
  }

  const plain = (isRead: boolean): RequestInit => (isRead ? {} : { method: 'POST', body: logLine });
});
