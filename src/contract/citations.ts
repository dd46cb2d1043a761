/** Definitions of what several reads count about citations. */
import type { Definition } from './definition.js';

/** How citations are counted. */
export const CITATIONS =
  'elements of the citation lists of answers: an answer that cites a page twice counts 2';

export const citationCount: Definition = {
  what: 'How often answers cite it.',
  formula: CITATIONS,
  unit: 'citations',
  empty: '0: not cited in the window',
};

export const citingAnswers: Definition = {
  what: 'How many answers cite it.',
  formula: 'distinct answers: one that cites a page twice counts 1',
  unit: 'answers',
  empty: '0: not cited in the window; null: not measured',
};

export const brandPresence: Definition = {
  what: 'Whether answers that cite it mention the brand; in a row of answers, whether the answer does.',
  formula: 'at least one run of the window that cites the row mentions the brand',
  empty: 'false',
};
