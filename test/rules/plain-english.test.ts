/** Phrases that a reader stumbles over, with the plain ones. Texts of the program and of the documents have none of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');

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

const filesOf = (folder: string, endings: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name))
    .map((name) => join(folder, name));

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

describe('rule: texts are plain English', () => {
  const files = [
    'README.md',
    ...filesOf('docs', /\.md$/),
    ...filesOf('src', /\.ts$/),
    ...filesOf('scripts', /\.mjs$/),
  ];

  it('in the program and in the documents', () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const read = file.endsWith('.md') ? text : withoutComments(text);
      return odd.flatMap(([phrase, plain]) => {
        const [match] = phrase.exec(read) ?? [];
        return match === undefined ? [] : `${file}: “${match}”; write: ${plain}`;
      });
    });
    expect(found).to.deep.equal([]);
  });
});
