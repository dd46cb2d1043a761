/**
 * Null means not measured. Some fields were released without null: readers, tables and CSV have null there too, and only the
 * JSON of the API has 0. The schema of such a field says so.
 */
import type { Schema } from './schema.js';

/** The fields of a body that say what it is measured on. */
interface Extent {
  readonly slice?: object | null;
  /** Null if no day of the window was measured. */
  readonly measured?: object | null;
}

const isUnmeasured = ({ measured }: Extent): boolean => measured === null;

/** The body of a reader as the JSON of the API. In a slice, null stays where the type of the field has it. */
export function asReleased<Body extends object>(response: Schema, body: Body): Body {
  if (!isUnmeasured(body)) return body;
  const isSliced = ((body as Extent).slice ?? null) !== null;
  return replaced(response, body, ({ kind }) => (isSliced && kind === 'nullable' ? null : 0)) as Body;
}

/** A body of the API with null where nothing was measured. */
export const asMeasured = <Body extends object>(response: Schema, body: Body): Body =>
  isUnmeasured(body) ? (replaced(response, body, () => null) as Body) : body;

/** The value with other values in the fields that were released without null. */
function replaced(schema: Schema, value: unknown, by: (field: Schema) => 0 | null): unknown {
  if ('whenUnmeasured' in schema) return by(schema);
  if (value === null) return null;
  if (schema.kind === 'nullable') return replaced(schema.of, value, by);
  if (schema.kind === 'list') return (value as unknown[]).map((one) => replaced(schema.items, one, by));
  if (schema.kind !== 'object') return value;
  const fields = Object.entries(value as object).map(([name, one]) => {
    const field = schema.fields[name];
    return [name, field ? replaced(field, one, by) : one];
  });
  return Object.fromEntries(fields);
}
