import { expect } from 'chai';
import { parseLine } from '../../../../../src/server/intake/dataset/lines.js';
import { Problems } from '../../../../../src/server/intake/dataset/problems.js';

/** What is wrong with a line: `field: what was expected`. */
export function problemsOf(line: object | string | null): string[] {
  const problems = new Problems();
  const text = typeof line === 'object' && line !== null ? JSON.stringify(line) : line;
  const record = parseLine({ number: 7, text }, problems);
  expect(record === undefined || problems.count === 0).to.equal(true);
  return problems.first.map(({ field, message }) => `${field}: ${message}`);
}
