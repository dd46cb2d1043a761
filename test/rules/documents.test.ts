import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (document: string) => readFileSync(join(root, document), 'utf8');

/** Paths in the project as a text names them. A file called NAME stands for any file of its folder. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/.-])(?:src|test|bench|scripts|bin|docs)\/[\w./-]*[\w]/g)].map(([path]) =>
    path.includes('NAME') ? dirname(path) : path,
  );

const exists = (path: string): boolean =>
  existsSync(join(root, path)) || existsSync(join(root, `${path}.ts`));

interface Link {
  readonly file: string;
  readonly heading: string | undefined;
}

/** The links in a document that lead to files of the project, with the file seen from the root. */
const linksIn = (document: string): Link[] =>
  [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file, heading]) => ({
    file: file === '' ? document : join(dirname(document), file!),
    heading,
  }));

/** The anchors of headings, as code hosts make them: lower case, no punctuation, dashes for spaces. */
const anchorsOf = (document: string): string[] =>
  [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The folders that the first code block of the architecture draws; two spaces of indent are one level. */
function drawnFolders(): string[] {
  const [, block = ''] = /^```\n(.*?)^```/ms.exec(read('docs/architecture.md')) ?? [];
  const path: string[] = [];
  return block.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w/-]+\/ )+)/.exec(line) ?? [];
    const folders = names.split(' ').filter((name) => name !== '');
    if (folders.length === 0) return [];
    path.length = indent.length / 2;
    const drawn = folders.map((folder) => [...path, folder].join(''));
    path.push(folders[0]!);
    return drawn;
  });
}

describe('rule: documents name what exists', () => {
  for (const document of documents) {
    it(`every path in ${document}`, () => {
      expect(pathsIn(read(document)).filter((path) => !exists(path))).to.deep.equal([]);
    });

    it(`every link in ${document}`, () => {
      const broken = linksIn(document).filter(
        ({ file, heading }) =>
          !existsSync(join(root, file)) || (heading !== undefined && !anchorsOf(file).includes(heading)),
      );
      expect(broken).to.deep.equal([]);
    });
  }

  it('every folder in the drawing of the architecture', () => {
    const drawn = drawnFolders();
    expect(drawn).to.include.members(['src/contract/reads/', 'src/logs/json/', 'src/server/http/', 'bench/']);
    expect(drawn.filter((folder) => !exists(folder))).to.deep.equal([]);
  });

  it('a path that does not exist is found, in text and in code', () => {
    expect(
      pathsIn('In src/server/nowhere.ts, or `src/cli/nothing/NAME.ts`.').filter((each) => !exists(each)),
    ).to.deep.equal(['src/server/nowhere.ts', 'src/cli/nothing']);
  });
});
