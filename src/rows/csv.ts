import { stringify } from 'csv-stringify/sync';
import { printable } from '../contract/printable.js';
import { exact, type Field, valueAt } from './fields.js';

/**
 * CSV lines (RFC 4180 with line feeds). Numbers are exact, null is empty, booleans are `true` and `false`, lists are JSON.
 * @param header Whether the first line has the names of the fields.
 * @param textOf Converts each text: `safeText`, or the identity for the texts of the API.
 */
export function csv(
  fields: readonly Field[],
  rows: readonly unknown[],
  header: boolean,
  textOf: (text: string) => string = safeText,
): string {
  const records = rows.map((row) => fields.map((field) => exact(valueAt(row, field), textOf)));
  return stringify(header ? [fields.map(({ name }) => name), ...records] : records);
}

/** Lines of values with tabs between, without a head, for `cut` and `awk`. No value contains a tab or a line feed. */
export const tsv = (fields: readonly Field[], rows: readonly unknown[]): string =>
  rows.map((row) => `${fields.map((field) => exact(valueAt(row, field), printable)).join('\t')}\n`).join('');

/** Texts that a spreadsheet reads as a formula (OWASP, CSV injection), also with full-width characters. */
const FORMULA = /^[=+\-@＝＋－＠]/u;
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A text on one line, without control characters, and with an apostrophe before a formula. */
export function safeText(text: string): string {
  const line = printable(text);
  return FORMULA.test(line) && !NEGATIVE.test(line) ? `'${line}` : line;
}
