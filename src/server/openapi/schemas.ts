/** The schemas of bodies, as components that refer to each other by name. */
import { type Operation, operations } from '../../contract/operations.js';
import { nextCursor } from '../../contract/read.js';
import type { Schema } from '../../contract/schema.js';
import { type JsonSchema, responseSchema } from '../json-schema.js';
import { schemaNames } from './generated/schema-names.js';

export type Components = Record<string, JsonSchema>;

/** The schema of an operation's answer, by reference. */
export const bodyRef = (operation: Operation): JsonSchema => schemaRef(bodyName(operation));

/** A read that is newer than the generated names is named after its operation. */
const bodyName = ({ id, response }: Operation): string =>
  schemaNames.get(response.fields) ?? `${id[0]!.toUpperCase()}${id.slice(1)}`;

/** A reference to a schema of the components. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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
