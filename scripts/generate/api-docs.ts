/** The tables of docs/api.md, derived from the contract. */

import { allErrorCases, errorCasesOf, type GeneralCase } from '../../src/contract/error-cases.js';
import { sentences } from '../../src/contract/notes.js';
import { type Operation, operations } from '../../src/contract/operations.js';
import type { Param } from '../../src/contract/params.js';
import { API_ROOT } from '../../src/contract/paths.js';
import { nextCursor } from '../../src/contract/read.js';
import { responseHeaders } from '../../src/contract/response-headers.js';
import { csvRows } from '../../src/contract/rows.js';
import type { ExampleAnswers } from './examples.js';
import { fieldRows } from './field-rows.js';
import { code, table, withBlocks } from './markdown.js';

/**
 * The text of docs/api.md with the parts between its markers made anew.
 * @param answers An example answer of each operation.
 * @throws If the text has no marker for an operation, or a marker without an operation.
 */
export function apiDocs(text: string, answers: ExampleAnswers): string {
  const blocks = new Map<string, string>([
    ['rows', exampleRows(answers)],
    ['response', exampleResponse()],
    ['headers', headerTable()],
    ['errors', errorTable()],
    ['facts', factTable()],
    ...operations.map((each) => [each.name, operationTables(each)] as const),
  ]);
  return withBlocks('docs/api.md', text, blocks);
}

const block = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

/** A row of each list, with all of its fields. */
const exampleRows = (answers: ExampleAnswers): string =>
  block(
    'json',
    operations.flatMap(({ name, rows }) =>
      rows ? [JSON.stringify((answers[name] as { readonly [rows: string]: unknown[] })[rows]![0])] : [],
    ),
  );

/** The headers of an answer. */
const exampleResponse = (): string =>
  block('console', [
    `$ curl -si -H "Authorization: Bearer $KEY" $URL${API_ROOT}/overview`,
    'HTTP/1.1 200 OK',
    ...responseHeaders
      .filter(({ occurs }) => ['always', 'keyed', 'read'].includes(occurs))
      .map(({ name, example }) => `${name}: ${example}`),
    'Content-Type: application/json',
    '…',
  ]);

const onlyInPages = { ...nextCursor, description: `Only in pages. ${nextCursor.description}` };

function operationTables(operation: Operation): string {
  const { params, response, rows } = operation;
  const parameters = Object.entries(params).map(([name, param]) => [
    code(name),
    valuesOf(param),
    `${param.required ? '**Required.** ' : ''}${param.description}`,
  ]);
  const page = rows ? fieldRows('next_cursor', onlyInPages) : [];
  const fields = [
    ...Object.entries(response.fields).flatMap(([name, field]) => fieldRows(name, field)),
    ...page,
  ];
  return [
    table(['parameter', 'values', 'meaning'], parameters),
    table(
      ['field', 'type', 'meaning'],
      fields.map(([name, ...cells]) => [code(name), ...cells]),
    ),
    ...(operation.lane === 'reads' ? [`[CSV](#csv): ${csvRows(operation)}.`] : []),
    `Statuses: ${statusesOf(operation).join(', ')}; see [errors](#errors).`,
  ].join('\n\n');
}

const statusesOf = (operation: Operation): number[] => {
  const ofErrors = errorCasesOf(operation).map(({ refusal }) => refusal.status);
  const unchanged = operation.lane === 'reads' ? [304] : [];
  return [...new Set([200, ...unchanged, ...ofErrors])].toSorted((a, b) => a - b);
};

function valuesOf(param: Param): string {
  switch (param.kind) {
    case 'text':
      return 'text';
    case 'integer':
      return `${param.minimum} to ${param.maximum}`;
    case 'choice':
      return param.values
        .map((value) => (value === param.default ? `${code(value)} (default)` : code(value)))
        .join(', ');
    case 'date':
      return 'day, `YYYY-MM-DD`';
    case 'engines':
      return '[engine ids](#engines), separated by commas';
    case 'values':
      return 'texts, separated by commas';
    case 'boolean':
      return '`true`, `false`';
  }
}

const headerTable = (): string =>
  table(
    ['header', 'on', 'meaning'],
    responseHeaders.map(({ name, on, meaning, values }) => [
      code(name),
      on,
      values ? `${meaning}: ${values.map(code).join(', ')}` : meaning,
    ]),
  );

const errorTable = (): string =>
  table(
    ['status', '`code`', '`error`', 'on', 'when'],
    allErrorCases().map((each) => [
      String(each.refusal.status),
      code(each.refusal.code),
      code(each.refusal.message),
      placeOf(each),
      each.when,
    ]),
  );

const factTable = (): string =>
  table(
    ['`code`', 'sentence, with the values in braces'],
    Object.entries(sentences).map(([each, { api }]) => [code(each), api]),
  );

/** The operations that have an error; empty: all operations, or paths that do not exist. */
function placeOf({ of }: GeneralCase): string {
  const reads = operations.filter(({ lane }) => lane === 'reads');
  if (of.length === operations.length) return '';
  const others = operations.filter((each) => !of.includes(each));
  if (of.length === reads.length && of.every((each) => reads.includes(each))) return 'reads';
  if (others.length === 1) return `all but ${others[0]!.name}`;
  return of.map(({ name }) => name).join(', ');
}
