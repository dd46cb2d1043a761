import { engineIds } from '../../src/contract/engines.js';
import { brandRef } from '../../src/contract/read.js';
import type { Schema } from '../../src/contract/schema.js';

/** A field of a response: its path, as `prompts[].tags`, its type in words, and its description. */
export type FieldRow = readonly [path: string, type: string, meaning: string];

/** The rows of a field and of the fields in it. */
export function fieldRows(path: string, schema: Schema & { readonly deprecated?: string }): FieldRow[] {
  const { description, deprecated } = schema;
  const meaning = [description, ...(deprecated ? [`Use ${deprecated}.`] : [])].filter(Boolean).join('. ');
  return [[path, typeOf(schema), meaning], ...rowsIn(path, schema)];
}

function rowsIn(path: string, schema: Schema): FieldRow[] {
  switch (schema.kind) {
    case 'nullable':
      return rowsIn(path, schema.of);
    case 'list':
      return rowsIn(`${path}[]`, schema.items);
    case 'variant':
      return Object.entries(schema.of).flatMap(([kind, each]) =>
        rowsIn(path, each).map(
          ([field, type, meaning]) => [field, type, `\`${schema.by}=${kind}\`: ${meaning}`] as const,
        ),
      );
    case 'object':
      // Every answer has the brand, and most have facts; both are described once.
      if (schema.fields === brandRef.fields || schema.open) return [];
      return Object.entries(schema.fields).flatMap(([name, field]) => fieldRows(`${path}.${name}`, field));
    default:
      return [];
  }
}

function typeOf(schema: Schema): string {
  switch (schema.kind) {
    case 'string':
      return 'text';
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
    case 'number':
      return schema.maximum === undefined
        ? schema.kind
        : `${schema.kind}, ${schema.minimum} to ${schema.maximum}`;
    case 'choice': {
      if (schema.values === engineIds) return '[engine id](#engines)';
      const values = schema.values.map((value) => `\`${value}\``).join(', ');
      return schema.open ? `${values}, or a newer one` : values;
    }
    case 'nullable':
      return `${typeOf(schema.of)}, or null`;
    case 'list':
      if (schema.items.kind === 'object' && schema.items.open) return 'list of [facts](#facts)';
      return `list of ${['object', 'variant'].includes(schema.items.kind) ? 'objects' : typeOf(schema.items)}`;
    case 'pair':
      return `[${typeOf(schema.items)}, ${typeOf(schema.items)}]`;
    case 'variant':
      return `object, by \`${schema.by}\``;
    case 'object':
      if (schema.open) return '[fact](#facts)';
      return schema.fields === brandRef.fields ? '`{id, name, domain}`' : 'object';
  }
}
