/** The contract's plain data as zod schemas, from which JSON Schema (2020-12) follows. */
import { z } from 'zod';
import { engineIds } from '../contract/engines.js';
import type { Param, Params } from '../contract/params.js';
import type { NumberSchema, Schema } from '../contract/schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of what a caller may send or will get. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return { $schema, ...rest };
}

/** Every integer would otherwise tell how far a double counts exactly, and a choice of integers be one of numbers. */
function tidy(json: z.core.JSONSchema.BaseSchema): void {
  if (json.enum?.every(Number.isInteger)) json.type = 'integer';
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** What a body is validated against. Objects stay open: additive fields must break no cached client. */
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

/** Arguments as JSON values; a name that is not declared is refused. */
export const argumentsSchema = (params: Params) =>
  z.strictObject(
    mapped(params, (param) => (param.required ? argumentSchema(param) : argumentSchema(param).optional())),
  );

/** The type alone: what the words and their combinations mean is checked where query strings are, too. */
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
