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

  it('a path that does not exist is found, in text and in code', () => {
    expect(
      pathsIn('In src/server/nowhere.ts, or `src/cli/nothing/NAME.ts`.').filter((each) => !exists(each)),
    ).to.deep.equal(['src/server/nowhere.ts', 'src/cli/nothing']);
  });
});
