/** The tables of docs/metrics.md, from the definitions of the contract. */
import { type Described, describedGroups } from '../../src/contract/explanations.js';
import { estimators, measureNames, measureOf } from '../../src/contract/measures.js';
import { code, table, withBlocks } from './markdown.js';

/**
 * The text of docs/metrics.md with the parts between its markers made anew.
 * @throws If the text has no marker for a table, or a marker without a table.
 */
export function metricsDocs(text: string): string {
  const blocks = new Map<string, string>([
    ['day-sums', daySumTable()],
    ['estimators', estimatorTable()],
    ...describedGroups().map(({ id, definitions }) => [id, definitionTable(definitions)] as const),
  ]);
  return withBlocks('docs/metrics.md', text, blocks);
}

const definitionTable = (definitions: readonly Described[]): string =>
  table(
    ['field', 'meaning', 'formula', 'unit', 'rounded to', 'when nothing was measured', 'in'],
    definitions.map(({ name, what, formula, unit, rounding, empty, fields }) => [
      code(name),
      what,
      formula ?? '',
      unit ?? '',
      rounding ?? '',
      empty ?? '',
      [...new Set(fields.map(({ read }) => read))].join(', '),
    ]),
  );

const daySumTable = (): string =>
  table(
    ['metric', 'X', 'Y'],
    measureNames.map((name) => [code(name), measureOf(name).words.of, measureOf(name).words.per]),
  );

const estimatorTable = (): string =>
  table(
    ['what', 'formula'],
    [
      ['variance of R', estimators.variance],
      ['degrees of freedom', estimators.freedom],
      ['interval of visibility and sentiment', estimators.linearised],
      ['interval of a share', estimators.wilson],
      ['verdict', estimators.verdict],
      ['verdict with few mentions', estimators.leastVariance],
    ],
  );
