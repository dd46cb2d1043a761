/** Phrases that a reader stumbles over, with the plain ones. Texts of the program and of the documents have none of them. */
import { describe, it } from 'node:test';
import { expect } from 'chai';
import { filesIn, read, withoutComments } from './texts.js';

const odd: readonly (readonly [phrase: RegExp, plain: string])[] = [
  [/, as (?:\d|[A-Z]+_|https?:)/, 'such as'],
  [/\bwhen absent\b/, 'default'],
  [/\bwith (?:commas|tabs) between\b/, 'separated by commas, tab-separated'],
  [/\ball the same:/, 'anyway'],
  [/\bstopped to arrive\b/, 'no longer arrive'],
  [/\bcan be had in\b/, 'with pages'],
  [/\bis like this one\b/, 'is not known'],
  [/\bthat may read\b/, 'of kind read or full'],
  [/\bAPI is of\b/, 'has the API version'],
  [/\bwhich goes with the\b/, 'which is deleted with the'],
  [/\ba row\.['`]/, 'per row'],
  [/\bThe same as <a\b|\bThe same as JSON\b|>The same as JSON/, 'Download'],
  [/within it in 95 of 100/, '95 % interval'],
  [/\bonly a label, because\b/, 'only labels the runs'],
  [/\bsearch-grounded engines when\b|All that search the web/, 'all engines with web search'],
];

describe('rule: texts are plain English', () => {
  const files = [
    'README.md',
    ...filesIn('docs', '.md'),
    ...filesIn('src', '.ts'),
    ...filesIn('scripts', '.mjs'),
  ];

  it('in the program and in the documents', () => {
    const found = files.flatMap((file) => {
      const text = file.endsWith('.md') ? read(file) : withoutComments(read(file));
      return odd.flatMap(([phrase, plain]) => {
        const [match] = phrase.exec(text) ?? [];
        return match === undefined ? [] : `${file}: “${match}”; write: ${plain}`;
      });
    });
    expect(found).to.deep.equal([]);
  });
});
