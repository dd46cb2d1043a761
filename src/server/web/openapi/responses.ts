/** The responses of an operation: each status with its headers, the schema of its body and samples of its errors. */
import { STATUS_CODES } from 'node:http';
import { type ErrorCase, errorCasesOf } from '../../../contract/error-cases.js';
import { type Operation, operations } from '../../../contract/operations.js';
import { nextCursor } from '../../../contract/read.js';
import { type ResponseHeader, responseHeaders } from '../../../contract/response-headers.js';
import { bodyCsv, csvRows, mediaTypes } from '../../../contract/rows.js';
import type { Schema } from '../../../contract/schema.js';
import { bodyOf } from '../../base/errors.js';
import { type JsonSchema, responseSchema } from '../../base/json-schema.js';
import { examples } from './generated/examples.js';
import { schemaNames } from './generated/schema-names.js';

type Responses = ReadonlyMap<number, JsonSchema>;

const responsesOf = (operation: Operation): Responses =>
  new Map([
    [200, success(operation)],
    ...(operation.lane === 'reads' ? ([[304, notModified]] as const) : []),
    ...errorResponses(operation),
  ]);

const success = (operation: Operation): JsonSchema => ({
  description: operation.response.description || operation.summary,
  headers: headerRefs(({ occurs }) =>
    [
      'always',
      'keyed',
      operation.lane === 'reads' ? 'read' : 'ingest',
      ...(operation.rows ? ['csv'] : []),
    ].includes(occurs),
  ),
  content: {
    [mediaTypes.json]: { schema: bodyRef(operation), example: examples[operation.name] },
    ...(operation.lane === 'reads' && { [mediaTypes.csv]: csvOf(operation) }),
  },
});

/** The main rows as CSV; the example has those of the example in JSON. */
const csvOf = (operation: Operation): JsonSchema => ({
  schema: { type: 'string', description: csvRows(operation) },
  example: bodyCsv(operation, examples[operation.name] as object),
});

const notModified: JsonSchema = {
  description: 'Nothing changed since the answer whose ETag If-None-Match states',
  headers: headerRefs(({ occurs }) => ['always', 'keyed', 'read'].includes(occurs)),
};

function errorResponses(operation: Operation): [number, JsonSchema][] {
  const byStatus = new Map<number, ErrorCase[]>();
  for (const each of errorCasesOf(operation)) {
    const { status } = each.refusal;
    byStatus.set(status, [...(byStatus.get(status) ?? []), each]);
  }
  return [...byStatus].map(([status, cases]) => [status, errorResponse(status, cases)]);
}

const errorResponse = (status: number, cases: readonly ErrorCase[]): JsonSchema => ({
  description: STATUS_CODES[status],
  headers: headerRefs(
    ({ name, occurs }) =>
      occurs === 'always' ||
      (occurs === 'keyed' && cases.some(({ keyed }) => keyed !== 'no')) ||
      (occurs === 'error' && cases.some(({ refusal }) => name in (refusal.headers ?? {}))),
  ),
  content: { [mediaTypes.json]: { schema: errorSchema(cases), examples: samplesOf(cases) } },
});

const samplesOf = (cases: readonly ErrorCase[]): JsonSchema =>
  Object.fromEntries(
    cases.map(({ name, refusal, when }) => [
      name,
      { ...(when !== '' && { summary: when }), value: bodyOf(refusal) },
    ]),
  );

/** What errors of some statuses have next to the message. */
const extras: Components = {
  retry_after_seconds: { type: 'integer', minimum: 1, description: 'Seconds to wait, as in Retry-After' },
  request_id: { type: 'string', description: 'The id of the request in the log of the server' },
};

export const errorComponent = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'What is wrong, and what is allowed' },
    code: {
      type: 'string',
      pattern: '^[a-z]+(_[a-z]+)*$',
      description: 'The name of the error, by which programs recognise it; its text may change',
    },
    parameters: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description:
        'The parameters that the request has to change; absent: the error is not about a parameter',
    },
  },
  required: ['error', 'code'],
};

function errorSchema(cases: readonly ErrorCase[]): JsonSchema {
  const names = [...new Set(cases.flatMap(({ refusal }) => Object.keys(refusal.extra ?? {})))];
  if (names.length === 0) return schemaRef('Error');
  const properties = Object.fromEntries(names.map((name) => [name, extras[name]]));
  const required = names.filter((name) => cases.every(({ refusal }) => name in (refusal.extra ?? {})));
  return { allOf: [schemaRef('Error'), { type: 'object', properties, required }] };
}

/** References to the headers that the filter picks. */
function headerRefs(has: (header: ResponseHeader) => boolean): JsonSchema {
  const names = responseHeaders.filter(has).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const headerComponents = (): Components =>
  Object.fromEntries(
    responseHeaders.map(({ name, on, meaning, type, values, example }) => [
      name,
      { description: `${meaning} (on ${on})`, schema: { type, ...(values && { enum: values }) }, example },
    ]),
  );

/** The responses that at least two operations have: of each status the commonest, by the name of the status. */
export function sharedResponses(): Components {
  const counts = new Map<string, { status: number; response: JsonSchema; uses: number }>();
  for (const [status, response] of operations.flatMap((each) => [...responsesOf(each)])) {
    const key = JSON.stringify(response);
    const uses = (counts.get(key)?.uses ?? 0) + 1;
    counts.set(key, { status, response, uses });
  }
  const rising = [...counts.values()].filter(({ uses }) => uses > 1).toSorted((a, b) => a.uses - b.uses);
  const byStatus = new Map(rising.map(({ status, response }) => [status, response]));
  return Object.fromEntries([...byStatus].map(([status, response]) => [componentName(status), response]));
}

const componentName = (status: number): string => STATUS_CODES[status]!.replaceAll(/\W/g, '');

/** The responses of an operation with references to the shared ones. */
export const referredResponses = (operation: Operation, shared: Components): JsonSchema =>
  Object.fromEntries(
    [...responsesOf(operation)].map(([status, response]) => {
      const name = componentName(status);
      const isShared = JSON.stringify(shared[name]) === JSON.stringify(response);
      return [status, isShared ? { $ref: `#/components/responses/${name}` } : response];
    }),
  );

// The schemas of bodies are components that refer to each other by name.

export type Components = Record<string, JsonSchema>;

const bodyRef = (operation: Operation): JsonSchema => schemaRef(bodyName(operation));

/** A read that is newer than the generated names is named after its operation. */
const bodyName = ({ id, response }: Operation): string =>
  schemaNames.get(response.fields) ?? `${id[0]!.toUpperCase()}${id.slice(1)}`;

const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The bodies of all answers, and the objects in them. */
export function bodySchemas(of: readonly Operation[] = operations): Components {
  const objects: Components = {};
  for (const operation of of) {
    const name = bodyName(operation);
    const body = responseSchema(operation.response, collectIn(objects));
    const whole = objects[name] ?? body;
    objects[name] = operation.rows ? withCursor(whole) : whole;
  }
  return objects;
}

/** Collects named objects in `objects`, and puts references in their place. */
const collectIn =
  (objects: Components) =>
  (json: JsonSchema, schema: Schema): JsonSchema => {
    const name = schema.kind === 'object' ? schemaNames.get(schema.fields) : undefined;
    if (name === undefined) return deprecated(schema.kind === 'nullable' ? withNull(json) : json, schema);
    objects[name] ??= json;
    const { description } = json;
    return { ...schemaRef(name), ...(description !== objects[name].description && { description }) };
  };

/** A page has the body of the unpaged list and the cursor. */
function withCursor(body: JsonSchema): JsonSchema {
  const properties = body.properties as Components;
  const next = responseSchema(nextCursor, (json, { kind }) => (kind === 'nullable' ? withNull(json) : json));
  const description = `Only in pages. ${next.description}`;
  return { ...body, properties: { ...properties, next_cursor: { ...next, description } } };
}

/** `anyOf` of a simple type and null as one type, which tools show better. */
function withNull(json: JsonSchema): JsonSchema {
  const [of, ...rest] = json.anyOf as [JsonSchema, ...JsonSchema[]];
  if (typeof of.type !== 'string' || 'properties' in of) return { anyOf: [of, ...rest] };
  return {
    ...of,
    type: [of.type, 'null'],
    ...(of.enum !== undefined && { enum: [...(of.enum as []), null] }),
  };
}

function deprecated(
  json: JsonSchema,
  { deprecated: use }: Schema & { readonly deprecated?: string },
): JsonSchema {
  return use === undefined
    ? json
    : { ...json, deprecated: true, description: `${json.description}. Use ${use}.` };
}
