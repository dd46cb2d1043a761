import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'chai';
import { read, root } from './texts.js';

/** The folders in the tree of docs/architecture.md, as paths from the root. A line may name several. */
function foldersOfDocument(): string[] {
  const document = read('docs/architecture.md');
  const [, tree = ''] = /^## Folders\n\n```\n([\s\S]*?)^```/m.exec(document) ?? [];
  const above: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', named = ''] = /^( *)((?:[\w./-]+\/ ?)+)/.exec(line) ?? [];
      const depth = indent.length / 2;
      const paths = named
        .trim()
        .split(' ')
        .map((name) => join(above[depth - 1] ?? '', name).replace(/\/$/, ''));
      above.splice(depth, above.length, paths[0]!);
      return paths;
    });
}

/** The folders below a folder that have files. A move may leave empty ones behind. */
const foldersIn = (folder: string): string[] => {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath }) => relative(root, parentPath).split(sep));
  const all = paths.flatMap((names) => names.map((_, at) => names.slice(0, at + 1).join('/')));
  return [...new Set(all)].filter((path) => path.startsWith(`${folder}/`)).sort();
};

/** The folders of commands are the topics of the command line. */
const isTopic = (folder: string): boolean => folder.startsWith('src/cli/commands/');

describe('rule: docs/architecture.md names the folders', () => {
  const named = foldersOfDocument();

  it('every folder of src is in the tree', () => {
    const missing = foldersIn('src').filter((folder) => !isTopic(folder) && !named.includes(folder));
    expect(missing).to.deep.equal([]);
  });

  it('every folder in the tree exists', () => {
    const all = [...readdirSync(root), ...['src', 'test', 'scripts'].flatMap(foldersIn)];
    expect(named.filter((folder) => !all.includes(folder))).to.deep.equal([]);
    expect(named.length).to.be.above(55);
  });

  it('the command line has at most twelve folders', () => {
    const folders = foldersIn('src/cli').filter((folder) => folder.split('/').length === 3);
    expect(folders.length, folders.join(', ')).to.be.at.most(12);
  });
});
