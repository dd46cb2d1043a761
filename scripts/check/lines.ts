/** The house grows only by decision: lines.json states the most lines of each of its parts, docs/decisions.md what for. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'chai';
import most from './lines.json' with { type: 'json' };
import { filesIn, read, root } from './texts.js';

const foldersOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${folder}/${entry.name}`] : [],
  );

/** The wings of the server, the other folders of src, and the tests. */
const parts = ['src', 'src/server'].flatMap(foldersOf).filter((part) => part !== 'src/server');

const linesOf = (text: string): number => text.split('\n').length - 1;

/** Lines that people write: data in JSON and generated files are left out. */
const writtenLines = (part: string): number =>
  ['.ts', '.js', '.mjs', '.css']
    .flatMap((ending) => filesIn(part, ending))
    .map(read)
    .reduce((sum, text) => sum + (text.startsWith('// Generated') ? 0 : linesOf(text)), 0);

/** Which parts have more lines than they may have, in words. */
const excesses = (lines: Readonly<Record<string, number>>, allowed: Readonly<Record<string, number>>) =>
  Object.entries(lines)
    .filter(([part, count]) => !(count <= allowed[part]!))
    .map(
      ([part, count]) =>
        `${part} has ${count} lines, of ${allowed[part] ?? 'none'} in scripts/check/lines.json. Remove some, or write a new figure there and in docs/decisions.md ("Lines of code"), whose row says what they are for.`,
    );

/** The figure of each part in docs/decisions.md. */
function decided(): Record<string, number> {
  const [, section = ''] =
    /^## Lines of code\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(read('docs/decisions.md')) ?? [];
  const rows = section.matchAll(/^\| `([\w/]+)` \| ([\d,]+) \| \S.* \|$/gm);
  return Object.fromEntries([...rows].map(([, part, lines]) => [part!, Number(lines!.replaceAll(',', ''))]));
}

describe('rule: no part of the project grows without a decision', () => {
  it('no part has more lines than its figure', () => {
    const lines = Object.fromEntries([...parts, 'test'].map((part) => [part, writtenLines(part)]));
    expect(excesses(lines, most)).to.deep.equal([]);
  });

  it('every figure is of a part, and docs/decisions.md says what it is for', () => {
    expect(most).to.have.all.keys([...parts, 'test']);
    expect(decided()).to.deep.equal(most);
  });

  it('a line more than the figure, and a part without one, are found', () => {
    expect(excesses({ a: 100, b: 101, c: 1 }, { a: 100, b: 100 })).to.have.lengthOf(2);
  });
});
