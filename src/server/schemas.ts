/** Converts the contract's plain data to zod schemas, and these to JSON Schema (2020-12). */
import { z } from 'zod';
import { engineIds } from '../contract/engines.js';
import type { Param, Params } from '../contract/params.js';
import type { NumberSchema, Schema } from '../contract/schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a zod schema. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return { $schema, ...rest };
}

/** Removes the bounds of safe integers that zod adds to every integer, and gives a choice of integers the type integer. */
function tidy(json: z.core.JSONSchema.BaseSchema): void {
  if (json.enum?.every(Number.isInteger)) json.type = 'integer';
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** The schema of a response. Objects are open, so that a new field does not break a client with a cached schema. */
export function responseSchema(schema: Schema): z.ZodType {
  const described = <T extends z.ZodType>(type: T) =>
    schema.description === '' ? type : type.describe(schema.description);
  switch (schema.kind) {
    case 'string':
      return described(z.string());
    case 'integer':
    case 'number':
      return described(bounded(schema));
    case 'boolean':
      return described(z.boolean());
    case 'choice':
      return schema.open
        ? z.string().describe(`${schema.description}. Known: ${schema.values.join(', ')}`)
        : described(z.enum(schema.values as [string, ...string[]]));
    case 'nullable':
      return responseSchema(schema.of).nullable();
    case 'list':
      return described(z.array(responseSchema(schema.items)));
    case 'pair':
      return described(z.array(responseSchema(schema.items)).length(2));
    case 'object':
      return described(z.looseObject(mapped(schema.fields, responseSchema)));
  }
}

function bounded({ kind, minimum, maximum }: NumberSchema): z.ZodNumber {
  let type = kind === 'integer' ? z.int() : z.number();
  if (minimum !== undefined) type = type.min(minimum);
  if (maximum !== undefined) type = type.max(maximum);
  return type;
}

/** The schema of a tool's arguments. It refuses undeclared names. */
export const argumentsSchema = (params: Params) =>
  z.strictObject(
    mapped(params, (param) => (param.required ? argumentSchema(param) : argumentSchema(param).optional())),
  );

/** Checks the type only. Values and their combinations are checked by `parseParams`, as for query strings. */
function argumentSchema(param: Param): z.ZodType {
  const ids = param.kind === 'engines' ? `. Ids: ${engineIds.join(', ')}` : '';
  return typeOf(param).describe(param.description + ids);
}

function typeOf(param: Param): z.ZodType {
  switch (param.kind) {
    case 'text':
    case 'engines':
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

function mapped<T>(of: Readonly<Record<string, T>>, make: (each: T) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(of).map(([name, each]) => [name, make(each)]));
}
