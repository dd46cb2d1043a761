/** Whether a value is one that a schema of the contract describes. */
import type { Schema } from '../../../../../src/contract/schema.js';

/** What does not fit, by its path in the value; empty: it fits. */
export function misfits(schema: Schema, value: unknown, path = '$'): string[] {
  switch (schema.kind) {
    case 'nullable':
      return value === null ? [] : misfits(schema.of, value, path);
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item, at) => misfits(schema.items, item, `${path}[${at}]`))
        : [`${path}: no list`];
    case 'variant': {
      const found = Object.values(schema.of).map((each) => misfits(each, value, path));
      return found.find((each) => each.length === 0) ?? found[0]!;
    }
    case 'object':
      return fieldMisfits(schema.fields, value, path, schema.open === true);
    case 'choice':
      return schema.open || schema.values.includes(value as string) ? [] : [`${path}: ${value}`];
    case 'integer':
      return Number.isSafeInteger(value) && inBounds(schema, value as number) ? [] : [`${path}: ${value}`];
    case 'number':
      return Number.isFinite(value) && inBounds(schema, value as number) ? [] : [`${path}: ${value}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: ${value}`];
    case 'string':
      return typeof value === 'string' ? [] : [`${path}: ${value}`];
    default:
      return [`${path}: a ${schema.kind}, which no tool has`];
  }
}

const inBounds = ({ minimum, maximum }: { minimum?: number; maximum?: number }, value: number): boolean =>
  value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);

/** The fields must be all there, in the contract's order, and no others unless the object is open. */
function fieldMisfits(
  fields: Readonly<Record<string, Schema>>,
  value: unknown,
  path: string,
  isOpen: boolean,
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: no object`];
  const names = Object.keys(fields);
  const found = Object.keys(value).slice(0, isOpen ? names.length : undefined);
  if (found.join() !== names.join()) return [`${path}: ${found.join()} instead of ${names.join()}`];
  return names.flatMap((name) =>
    misfits(fields[name]!, (value as Record<string, unknown>)[name], `${path}.${name}`),
  );
}
