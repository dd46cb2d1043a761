/** The fields of all reads by their paths, without their definitions: completion loads this. */
import type { Read } from '../read.js';
import { type ReadName, readNames, reads } from '../registry.js';
import type { Schema } from '../schema.js';

/** A field of a read. */
export interface ReadField {
  readonly read: ReadName;
  /** Its names in the body, as in `series[].points[].value`. */
  readonly path: string;
  /** Its schema; that of the elements for a list and a pair of numbers. */
  readonly schema: Schema;
  /** Whether null is one of its values. */
  readonly isNullable: boolean;
}

let all: readonly ReadField[] | undefined;

/** Every field of every read, except objects. Each call returns the same list. */
export function readFields(): readonly ReadField[] {
  all ??= readNames.flatMap((read) => fieldsIn(read, '', (reads[read] as Read).response as Schema, false));
  return all;
}

function fieldsIn(read: ReadName, path: string, schema: Schema, isNullable: boolean): ReadField[] {
  switch (schema.kind) {
    case 'nullable':
      return fieldsIn(read, path, schema.of, true);
    case 'list':
      return fieldsIn(read, `${path}[]`, schema.items, isNullable);
    case 'pair': {
      const bound = { ...schema.items, description: schema.description };
      return [{ read, path, schema: bound, isNullable }];
    }
    case 'object':
      return Object.entries(schema.fields).flatMap(([name, field]) =>
        fieldsIn(read, path === '' ? name : `${path}.${name}`, field, false),
      );
    default:
      return [{ read, path: path.replace(/\[\]$/, ''), schema, isNullable }];
  }
}

/** The names in a path, with the read first: `history.series.points.value`. */
export const dotted = ({ read, path }: Pick<ReadField, 'read' | 'path'>): string =>
  `${read}.${path.replaceAll('[]', '')}`;

/** The last name of a path. */
export const nameOf = ({ path }: Pick<ReadField, 'path'>): string => path.split('.').at(-1)!;

/** The names by which a field is asked for: its own, with the read before it, and those of the reads. */
export const askedNames = (): string[] => [
  ...new Set(readFields().flatMap((field) => [nameOf(field), field.read, `${field.read}.${nameOf(field)}`])),
];

/** Whether the values of a field are numbers. */
export const isNumber = ({ schema }: Pick<ReadField, 'schema'>): boolean =>
  schema.kind === 'integer' || schema.kind === 'number';
