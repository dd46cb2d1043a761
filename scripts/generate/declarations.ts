/** The text of declarations. */
import type { Schema } from '../../src/contract/schema.js';

export const MAX_COLUMNS = 110;

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, first: string) => first.toUpperCase());

export const literals = (values: readonly (string | number)[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');

/** The description, and the scale if the description does not contain it. */
export function descriptionOf(schema: Schema): string {
  const { minimum, maximum, about } = (schema.kind === 'nullable' ? schema.of : schema) as {
    minimum?: number;
    maximum?: number;
    about?: string;
  };
  const description = schema.description || about || '';
  const scale = `${minimum} to ${maximum}`;
  if (minimum === undefined || maximum === undefined || description.includes(scale)) return description;
  return `${description}. Scale: ${scale}.`;
}

/** The field that replaces a frozen field. */
export const deprecationOf = (schema: Schema & { deprecated?: string }): string | undefined =>
  schema.deprecated;

export function member(name: string, description: string, type: string, use?: string): string {
  const lines = [description, ...(use ? [`@deprecated Use ${use}.`] : [])].filter((line) => line !== '');
  const doc = lines.length > 0 ? `${comment(lines, '  ')}\n` : '';
  return doc + broken(`  ${name}`, ':', type, '  ');
}

/** `name: type;`, with a line for each type of a union if one line is too short for it. */
export function broken(name: string, sign: string, type: string, indent: string): string {
  const line = `${name}${sign} ${type};`;
  if (line.length - line.lastIndexOf('\n') - 1 <= MAX_COLUMNS) return line;
  return `${name}${sign}\n${indent}  | ${type.replaceAll(' | ', `\n${indent}  | `)};`;
}

export function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 1) return `${indent}/** ${safe[0]} */`;
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
}
