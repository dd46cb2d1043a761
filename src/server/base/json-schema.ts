/** Converts the contract's plain data to JSON Schema (2020-12): responses directly, parameters by way of zod, which checks them. */
import { z } from 'zod';
import type { Param, Params } from '../../contract/params.js';
import type { NumberSchema, Schema } from '../../contract/schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return { $schema, ...rest };
}

/** Removes the bounds of safe integers that zod adds to every integer, and makes integer the type of a choice of integers. */
function tidy(json: z.core.JSONSchema.BaseSchema): void {
  if (json.enum?.every(Number.isInteger)) json.type = 'integer';
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** Changes the JSON Schema of a part of a response, or puts another in its place. */
type Adapt = (json: JsonSchema, schema: Schema) => JsonSchema;

/** The JSON Schema of a response. Objects are open, so that a new field does not break a client with a cached schema. */
export function responseSchema(schema: Schema, adapt: Adapt = (json) => json): JsonSchema {
  const json = unadapted(schema, adapt);
  return adapt(json, schema);
}

function unadapted(schema: Schema, adapt: Adapt): JsonSchema {
  const description = schema.description === '' ? {} : { description: schema.description };
  switch (schema.kind) {
    case 'string':
    case 'boolean':
      return { type: schema.kind, ...description };
    case 'integer':
    case 'number':
      return { type: schema.kind, ...boundsOf(schema), ...description };
    case 'choice':
      return schema.open
        ? { type: 'string', description: `${schema.description}. Known: ${schema.values.join(', ')}` }
        : { type: 'string', enum: schema.values, ...description };
    case 'nullable':
      return { anyOf: [responseSchema(schema.of, adapt), { type: 'null' }] };
    case 'list':
      return { type: 'array', items: responseSchema(schema.items, adapt), ...description };
    case 'pair': {
      const items = responseSchema(schema.items, adapt);
      return { type: 'array', items, minItems: 2, maxItems: 2, ...description };
    }
    case 'variant':
      return { anyOf: Object.values(schema.of).map((each) => responseSchema(each, adapt)), ...description };
    case 'object': {
      const properties = mapped(schema.fields, (field) => responseSchema(field, adapt));
      const required = Object.keys(schema.fields);
      return { type: 'object', properties, required, additionalProperties: {}, ...description };
    }
  }
}

const boundsOf = ({ minimum, maximum }: NumberSchema): JsonSchema => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

/** The schema of a tool's arguments. It refuses undeclared names. */
export const argumentsSchema = (params: Params) =>
  z.strictObject(
    mapped(params, (param) => (param.required ? argumentSchema(param) : argumentSchema(param).optional())),
  );

/** Checks the type only. Values and their combinations are checked by `parseParams`, as for query strings. */
function argumentSchema(param: Param): z.ZodType {
  // Its description names the form, and strict clients refuse a schema with a format.
  const type = param.kind === 'date' ? z.string() : typeOf(param);
  const words = param.brief ?? param.description;
  return words === '' ? type : type.describe(words);
}

/** The values of a parameter where it is typed. */
export function typeOf(param: Param): z.ZodType {
  switch (param.kind) {
    case 'text':
    case 'engines':
    case 'values':
      return z.string();
    case 'date':
      return z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
    case 'integer':
      return z.int().min(param.minimum).max(param.maximum);
    case 'choice':
      return z.literal([...param.values]);
    case 'boolean':
      return z.boolean();
  }
}

function mapped<T, U>(of: Readonly<Record<string, T>>, make: (each: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(of).map(([name, each]) => [name, make(each)]));
}
