/**
 * The schema language of the contract: plain data, from which types are
 * inferred and from which the server derives JSON Schema. Nothing here validates; no package is loaded.
 */

import type { Definition } from './definition.js';

/** What heads the column of a field in tables, where neither the glossary nor its name says it. */
interface Headed {
  readonly head?: string;
}
export interface StringSchema extends Headed {
  readonly kind: 'string';
  readonly description: string;
}
/** The definition is for documents about metrics; JSON Schema and types have the description only. */
interface DefinedSchema extends Headed {
  readonly description: string;
  readonly definition?: Definition;
}
export interface NumberSchema extends DefinedSchema {
  readonly kind: 'integer' | 'number';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly whenUnmeasured?: 0;
}
export interface BooleanSchema extends DefinedSchema {
  readonly kind: 'boolean';
}
/** One of some known values. `open` means that later versions may add values, so clients must accept others. */
export interface ChoiceSchema<V extends string = string, O extends boolean = boolean> extends DefinedSchema {
  readonly kind: 'choice';
  readonly values: readonly V[];
  readonly open: O;
}
export interface NullableSchema<S = unknown> {
  readonly kind: 'nullable';
  readonly of: S;
  readonly description: string;
  readonly whenUnmeasured?: 0;
  /** Of an object: rows have a column for each of its fields, as for an object that is never null. */
  readonly spread?: true;
}
export interface ListSchema<S = unknown> extends Headed {
  readonly kind: 'list';
  readonly items: S;
  readonly description: string;
}
export interface PairSchema<S = unknown> extends Headed {
  readonly kind: 'pair';
  readonly items: S;
  readonly description: string;
}
export type Fields = { readonly [name: string]: unknown };
export interface ObjectSchema<F = Fields> {
  readonly kind: 'object';
  readonly fields: F;
  readonly description: string;
  /** Whether it has other fields besides: texts, numbers and lists of texts. */
  readonly open?: true;
  /** What the object is, for types and documents, if `description` is empty. It is not part of `tools/list`. */
  readonly about?: string;
}
/** An object of one of several kinds. All objects of a body are of one kind, which a field of the body names. */
export interface VariantSchema<V = { readonly [kind: string]: unknown }> {
  readonly kind: 'variant';
  /** The field of the body that names the kind. */
  readonly by: string;
  readonly of: V;
  readonly description: string;
}
/** Any schema, for code that walks one (JSON Schema, docs, snapshots). */
export type Schema =
  | StringSchema
  | NumberSchema
  | BooleanSchema
  | ChoiceSchema
  | NullableSchema<Schema>
  | ListSchema<Schema>
  | PairSchema<Schema>
  | VariantSchema<{ readonly [kind: string]: ObjectSchema<{ readonly [name: string]: Schema }> }>
  | ObjectSchema<{ readonly [name: string]: Schema }>;

interface OtherFields {
  [value: string]: string | number | readonly string[];
}
/** One object type, which is equal to the interface of the SDK. */
type Flat<T> = { [K in keyof T]: T[K] };

/**
 * The TypeScript type of the values that a schema describes, as the API sends them.
 * @typeParam Unmeasured What fields that were released without null may be besides; null: before they are sent.
 */
export type Infer<S, Unmeasured extends null = never> = S extends { kind: 'nullable'; of: infer T }
  ? Infer<T, Unmeasured> | null
  : S extends { kind: 'list'; items: infer T }
    ? Infer<T, Unmeasured>[]
    : S extends { kind: 'pair'; items: infer T }
      ? [Infer<T, Unmeasured>, Infer<T, Unmeasured>]
      : S extends { kind: 'variant'; of: infer V }
        ? { [K in keyof V]: Infer<V[K], Unmeasured> }[keyof V]
        : S extends { kind: 'object'; fields: infer F; open: true }
          ? Flat<{ -readonly [K in keyof F]: Infer<F[K], Unmeasured> } & OtherFields>
          : S extends { kind: 'object'; fields: infer F }
            ? { -readonly [K in keyof F]: Infer<F[K], Unmeasured> }
            : S extends { kind: 'choice'; values: readonly (infer V)[]; open: infer O }
              ? O extends true
                ? V | (string & {})
                : V
              : S extends { kind: 'integer' | 'number' }
                ? number | (S extends { whenUnmeasured: 0 } ? Unmeasured : never)
                : S extends { kind: 'boolean' }
                  ? boolean
                  : S extends { kind: 'string' }
                    ? string
                    : never;

/** @param head What heads its column. */
export const text = (description: string, head?: string): StringSchema => ({
  kind: 'string',
  description,
  ...(head !== undefined && { head }),
});
const defined = (description: string, definition: Definition | undefined): DefinedSchema => ({
  description,
  ...(definition && { definition }),
});

/** A whole number from 0. */
export const count = (description: string, definition?: Definition): NumberSchema => ({
  kind: 'integer',
  ...defined(description, definition),
  minimum: 0,
});
/** A number without bounds. */
export const number = (description: string, definition?: Definition): NumberSchema => ({
  kind: 'number',
  ...defined(description, definition),
});
/** A share: 0 to 1. */
export const fraction = (description: string, definition?: Definition): NumberSchema => ({
  ...number(description, definition),
  minimum: 0,
  maximum: 1,
});
/** A score or a percentage: 0 to 100. */
export const score = (description: string, definition?: Definition): NumberSchema => ({
  ...number(description, definition),
  minimum: 0,
  maximum: 100,
});
export const flag = (description: string, definition?: Definition): BooleanSchema => ({
  kind: 'boolean',
  ...defined(description, definition),
});
/** One of these values, and never another. */
export const oneOf = <const V extends string>(
  values: readonly V[],
  description: string,
  definition?: Definition,
): ChoiceSchema<V, false> => ({ kind: 'choice', values, open: false, ...defined(description, definition) });
/** One of these values; later versions may add values. */
export const oneOfOrNewer = <const V extends string>(
  values: readonly V[],
  description: string,
): ChoiceSchema<V, true> => ({ kind: 'choice', values, open: true, description });
/** May be null, and null means "not measured" or "not stated", never zero. */
export const nullable = <S extends { readonly description: string }>(of: S): NullableSchema<S> => ({
  kind: 'nullable',
  of,
  description: of.description,
});
/** An object that may be null, with a column for each of its fields in rows. */
export const spread = <S extends NullableSchema>(of: S): S & { readonly spread: true } => ({
  ...of,
  spread: true,
});
/** Released without null: where nothing was measured, the JSON of the API has 0 and all others have null. */
export const zeroWhenUnmeasured = <S extends NumberSchema | NullableSchema>(
  of: S,
): S & { readonly whenUnmeasured: 0 } => ({ ...of, whenUnmeasured: 0 });
/** Frozen: a newer field replaces it. `use` names that field. */
export const deprecated = <S extends object>(of: S, use: string): S & { readonly deprecated: string } => ({
  ...of,
  deprecated: use,
});
/** A field with another word at the head of its column than the glossary or its name has. */
export const headed = <S extends object>(head: string, of: S): S & { readonly head: string } => ({
  ...of,
  head,
});
/** A list, in the order that the description states. */
export const list = <S>(items: S, description: string): ListSchema<S> => ({
  kind: 'list',
  items,
  description,
});
/** Two numbers. */
export const pair = <S>(items: S, description: string): PairSchema<S> => ({
  kind: 'pair',
  items,
  description,
});
/** One of these objects: `by` is the field of the body that says which. */
export const variant = <const V extends { readonly [kind: string]: ObjectSchema }>(
  by: string,
  of: V,
): VariantSchema<V> => ({ kind: 'variant', by, of, description: '' });
/** An object with these fields, in their order. */
export const object = <const F extends Fields>(fields: F, description = ''): ObjectSchema<F> => ({
  kind: 'object',
  fields,
  description,
});
/** An object with these fields, and others by the value of one of these. */
export const openObject = <const F extends Fields>(fields: F, description = '') => ({
  ...object(fields, description),
  open: true as const,
});
/** A row of a list or another part of a response, where the field's own description is enough in `tools/list`. */
export const part = <const F extends Fields>(about: string, fields: F): ObjectSchema<F> => ({
  ...object(fields),
  about,
});
