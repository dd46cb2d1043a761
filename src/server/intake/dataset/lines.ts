/** Cuts a byte stream, gzipped or not, into numbered lines, and parses their records. */

import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { ExpectedError } from '../../../contract/failure.js';
import type { Problems } from './problems.js';
import { type DatasetRecord, descriptorOf, type RecordType, recordTypes } from './records/index.js';

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Null: the line is not UTF-8. */
  readonly text: string | null;
}

/** A longer line is refused, because the import would otherwise keep the whole stream in memory. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;

/**
 * Yields lines in groups, one group per chunk of the stream, so that each line does not cost a promise.
 * @throws ExpectedError for a line that is longer than MAX_LINE_BYTES
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = 0;
  for await (const chunk of inflated(source)) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > MAX_LINE_BYTES) {
        const message = `line ${number + 1}: longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
        throw new ExpectedError('unexpected', message);
      }
      continue;
    }
    const block = Buffer.concat([...rest, chunk.subarray(0, last + 1)]);
    rest = [chunk.subarray(last + 1)];
    restBytes = chunk.length - last - 1;
    const lines = splitBlock(block, number);
    number += lines.length;
    yield lines;
  }
  const tail = Buffer.concat(rest);
  if (tail.length > 0) yield splitBlock(Buffer.concat([tail, Buffer.from('\n')]), number);
}

function splitBlock(block: Buffer, before: number): Line[] {
  const lines: Line[] = [];
  const valid = isUtf8(block);
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(NEWLINE, start);
    const bytes = block.subarray(start, end);
    const number = before + lines.length + 1;
    lines.push({ number, text: valid || isUtf8(bytes) ? withoutMark(bytes.toString('utf8'), number) : null });
    start = end + 1;
  }
  return lines;
}

const withoutMark = (text: string, number: number): string =>
  number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;

/** Decompresses the stream if it begins with the gzip signature. */
async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await firstBytes(iterator);
  const whole = rejoin(first, iterator);
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* whole;
    return;
  }
  const gunzip = createGunzip();
  // A broken stream reaches the reader of `gunzip` as its error.
  pipeline(Readable.from(whole), gunzip, () => undefined);
  for await (const chunk of gunzip) yield chunk as Buffer;
}

/** The first two bytes of the stream or more; fewer if it is shorter. */
async function firstBytes(iterator: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

/** Yields all chunks, the first included. When the reader stops, the source is stopped too. */
async function* rejoin(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const { buffer, byteOffset, byteLength } = next.value;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  } finally {
    await rest.return?.();
  }
}

// Parses the text of a line to a record, or to the problems of the line.

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

/** The messages `expected …` of a schema where it has none of its own: `schema.safeParse(value, EXPECTED)`. */
export const EXPECTED: z.core.ParseContext<z.core.$ZodIssue> = { error: expectationOf };

function expectationOf(issue: z.core.$ZodRawIssue): string | undefined {
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
      return undefined;
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
  const result = descriptorOf(type as RecordType).schema.safeParse(value, EXPECTED);
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
  return `${issue.message}, got ${sample(got)}`;
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
