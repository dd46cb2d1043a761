/** The tables of docs/glossary.md, from the glossary of the contract. */
import { engines } from '../../src/contract/engines.js';
import { glossary, type Term, valueLabels } from '../../src/contract/glossary.js';
import { code, table, withBlocks } from './markdown.js';

/**
 * The text of docs/glossary.md with the parts between its markers made anew.
 * @throws If the text has no marker for a table, or a marker without a table.
 */
export function glossaryDocs(text: string): string {
  const terms: readonly Term[] = Object.values(glossary);
  const words = terms.map(({ label, means, api }) => [label, means, api.map(code).join(', ')]);
  const blocks = new Map([
    ['words', table(['word', 'meaning', 'in the API'], words)],
    [
      'engines',
      table(
        ['name', 'id'],
        engines.map(({ label, id }) => [label, code(id)]),
      ),
    ],
    ...Object.entries(valueLabels).map(([name, values]) => [name, valueTable(values)] as const),
  ]);
  return withBlocks('docs/glossary.md', text, blocks);
}

const valueTable = (values: { readonly [value: string]: string }): string =>
  table(
    ['word', 'in the API'],
    Object.entries(values).map(([value, label]) => [label, code(value)]),
  );
