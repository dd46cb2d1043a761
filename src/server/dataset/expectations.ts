/** Describes what a schema expected of a field. */
import type { z } from 'zod';

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
