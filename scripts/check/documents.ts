import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'chai';
import { shellBlocks } from '../../test/rules/support/shell-blocks.js';
import { filesIn, read, root } from './texts.js';

const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')];

/** Without the lines that name a file of an example, which begins in the next line: test/rules/walk-through.e2e.test.ts uses those. */
const withoutExamples = (text: string): string => text.replace(/^`src\/\S+`:\n(?=\n```)/gm, '');

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

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly flags: Readonly<Record<string, unknown>> }>>;
}
const { scripts }: { scripts: object } = JSON.parse(read('package.json'));
const { commands }: Manifest = JSON.parse(read('oclif.manifest.json'));

/** The words and flags behind `svc` in shell blocks. */
const commandsIn = (text: string): string[] =>
  shellBlocks(text)
    .flatMap(({ commands }) => commands)
    .flatMap((command) => [
      ...command.text.matchAll(/(?:^|[|;&] *)(?:\w+=\S* +)*(?:npx )?svc +(?![# ])([^\n]*)/gm),
    ])
    .map(([, rest]) => rest!.split(/ [|;#<>]|;/)[0]!);

/** The same between backticks in the prose, without topics, and commands that the text itself adds to the sources. */
const commandsInProse = (text: string): string[] =>
  [...text.replace(/^ *```.*?^ *```$|<!--.*?-->/gms, '').matchAll(/`(?:npx )?svc ([a-z][^`]*)`/g)]
    .map(([, rest]) => rest!.replace(/\s+/g, ' ').split(/ [|;#<>]|;/)[0]!)
    .filter((line) => !Object.keys(commands).some((id) => id.startsWith(`${line.replaceAll(' ', ':')}:`)))
    .filter((line) => !text.includes(`src/cli/commands/${line}.ts`));

/** What is wrong with a command line of svc: no such command, or flags that it does not have. */
function faultOf(line: string): string | null {
  const words = line.split(/ +/);
  const first = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, first < 0 ? words.length : first);
  while (names.length > 0 && !(names.join(':') in commands)) names.pop();
  const command = commands[names.join(':')];
  if (!command) return `no command: ${line}`;
  const flags = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  const unknown = flags.filter((flag) => !(flag in command.flags) && flag !== 'help');
  return unknown.length === 0 ? null : `${line}: no flag ${unknown.join(', ')}`;
}

describe('rule: documents name what exists', () => {
  for (const document of documents) {
    it(`every path in ${document}`, () => {
      expect(pathsIn(withoutExamples(read(document))).filter((path) => !exists(path))).to.deep.equal([]);
    });

    it(`every command and flag in ${document}`, () => {
      const named = [...commandsIn(read(document)), ...commandsInProse(read(document))];
      expect(named.flatMap((line) => faultOf(line) ?? [])).to.deep.equal([]);
    });

    it(`every script of npm in ${document}`, () => {
      const named = [...read(document).matchAll(/\bnpm run (?:--silent )?([a-z0-9:-]+)/g)].map(
        ([, name]) => name!,
      );
      expect(named.filter((name) => !(name in scripts))).to.deep.equal([]);
    });

    it(`no command of ${document} is in a block that is not one of a shell`, () => {
      const others = [
        ...read(document).matchAll(/^ *```(?!(?:sh|bash|shell|console)\n)(\w+)\n(.*?)^ *```$/gms),
      ];
      expect(others.filter(([, , body]) => /^ *(\$|npx|svc|curl|npm) /m.test(body!))).to.deep.equal([]);
    });

    it(`every link in ${document}`, () => {
      const broken = linksIn(document).filter(
        ({ file, heading }) =>
          !existsSync(join(root, file)) || (heading !== undefined && !anchorsOf(file).includes(heading)),
      );
      expect(broken).to.deep.equal([]);
    });
  }

  it('a command or a flag that does not exist is found', () => {
    const block =
      '```console\n$ A=b svc serve --wokers 2; echo\nsvc output\n$ svc admin nothing\n$ svc sources --limit 8 | head\n```\n';
    expect(commandsIn(block)).to.deep.equal(['serve --wokers 2', 'admin nothing', 'sources --limit 8']);
    expect(commandsIn(block).map(faultOf)).to.deep.equal([
      'serve --wokers 2: no flag wokers',
      'no command: admin nothing',
      null,
    ]);
  });

  it('a command in the prose that does not exist is found', () => {
    const prose =
      'See `svc serve --wokers 2`, `svc admin keys create`, `svc COMMAND --help`.\n```sh\nsvc `x`\n```\n';
    expect(commandsInProse(prose).map(faultOf)).to.deep.equal(['serve --wokers 2: no flag wokers', null]);
  });

  it('no document installs the package from a registry, which does not have it yet', () => {
    const fromRegistry = /npm (?:install|i)\b[^\n`]* (?:--global )?answer-visibility(?:@[\w.]+)?(?=[\s`]|$)/;
    expect(fromRegistry.test('npm install -g answer-visibility`.')).to.equal(true);
    expect(fromRegistry.test('npm install -g ./answer-visibility-0.1.0.tgz')).to.equal(false);
    expect(documents.filter((document) => fromRegistry.test(read(document)))).to.deep.equal([]);
  });

  it('files of the package are named by its version', () => {
    const { version } = JSON.parse(read('package.json'));
    const named = documents.flatMap((document) => [
      ...read(document).matchAll(/answer-visibility(?:-sdk)?-(\d.*?)\.tgz/g),
    ]);
    expect(new Set(named.map(([, stated]) => stated))).to.deep.equal(new Set([version]));
  });

  it('a path that does not exist is found, in text and in code', () => {
    expect(
      pathsIn('In src/server/nowhere.ts, or `src/cli/nothing/NAME.ts`.').filter((each) => !exists(each)),
    ).to.deep.equal(['src/server/nowhere.ts', 'src/cli/nothing']);
  });
});
