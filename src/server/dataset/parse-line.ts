/** Parses the text of a line to a record, or to the problems of the line. */
import type { z } from 'zod';
import type { Line } from './lines.js';
import type { Problems } from './problems.js';
import { type DatasetRecord, descriptorOf, type RecordType, recordTypes } from './records/index.js';

// Describes what a schema expected of a field.

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
};

/** The message `expected …` of an issue: the schema's own message if it has one. */
export function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('expected')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `expected ${sized(issue.origin, `at least ${issue.minimum}`)}`;
    case 'too_big':
      return `expected ${sized(issue.origin, `at most ${issue.maximum}`)}`;
    default:
      return issue.message;
  }
}

function sized(origin: string, size: string): string {
  const kind = KINDS[origin] ?? origin;
  const unit = { string: ' characters', array: ' elements' }[origin] ?? '';
  return `${kind} of ${size}${unit}`;
}

/** The record of a line. Undefined for a blank line, and for a bad line, whose problems are added. */
export function parseLine(line: Line, problems: Problems): DatasetRecord | undefined {
  if (line.text === null) {
    problems.add(line.number, null, 'expected UTF-8');
    return undefined;
  }
  if (line.text.trim() === '') return undefined;
  const value = parseJson(line.text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(line.number, null, `expected a JSON object, got ${sample(line.text)}`);
    return undefined;
  }
  const type = (value as { type?: unknown }).type;
  if (typeof type !== 'string' || !recordTypes.includes(type as RecordType)) {
    problems.add(line.number, 'type', `expected one of ${recordTypes.join(', ')}, got ${sample(type)}`);
    return undefined;
  }
  const result = descriptorOf(type as RecordType).schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    problems.add(line.number, fieldOf(issue), messageFor(issue, value));
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `mentions[2].order` */
function fieldOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  return path.reduce<string>(
    (field, step) =>
      typeof step === 'number' ? `${field}[${step}]` : field ? `${field}.${String(step)}` : String(step),
    '',
  );
}

function messageFor(issue: z.core.$ZodIssue, record: unknown): string {
  if (issue.code === 'unrecognized_keys') return 'no such field';
  const got = issue.path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step],
    record,
  );
  return `${expectationOf(issue)}, got ${sample(got)}`;
}

/** Control characters and lone surrogates: messages show them escaped. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

function sample(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' && !UNPRINTABLE.test(value) ? value : asJson(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** JSON text of a value. `JSON.stringify` fails for lists that are nested too deeply, which `JSON.parse` accepts. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `${Array.isArray(value) ? 'a list' : 'an object'} nested too deeply`;
  }
}
