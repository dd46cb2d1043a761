import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { exitCodes } from '../../src/contract/failure.js';
import { demoServer } from '../support/demo-server.js';
import { OPERATOR_KEY, type TestServer } from '../support/server.js';
import { openShell, type Shell } from './support/shell.js';
import { type DocumentedCommand, shellBlocks } from './support/shell-blocks.js';

const root = join(import.meta.dirname, '../..');
const documents = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { commands }: { commands: object } = JSON.parse(read('oclif.manifest.json'));
const blocksOf = (document: string) => shellBlocks(read(document));

/** Programs that the documents use besides svc, and that each machine has that is made for this. */
const tools = ['bash', 'curl', 'jq', 'base64'];
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error);

const LOG =
  '192.0.2.7 - - [19/Nov/2026:10:00:00 +0000] "GET /guides HTTP/1.1" 200 99 "-" "Mozilla/5.0 (compatible; GPTBot/1.3)"\n';

/** Whether the status is what the document leads to expect: a failure where it shows one, 9 where a threshold may do that. */
function isExpected({ text, output }: DocumentedCommand, status: number): boolean {
  if (text.includes('--fail-') && status === exitCodes.incomplete) return true;
  const showsFailure = output[0]?.startsWith('Error: ') && !output.some((line) => /^exit \d+$/.test(line));
  return (status !== 0) === Boolean(showsFailure);
}

/** What a transcript shows and the command does not print: heads of tables, messages of errors, exit codes. */
function staleLines({ output }: DocumentedCommand, printed: string): string[] {
  const words = new Set(printed.split(/\s+/));
  const heads = output.filter((_, at) => /^ *─{2,}/.test(output[at + 1] ?? ''));
  const staleHeads = heads.filter(
    (head) =>
      !head
        .trim()
        .split(/\s+/)
        .every((word) => words.has(word)),
  );
  const exact = output.filter((line) => /^(Error: |exit \d+$)/.test(line));
  return [...staleHeads, ...exact.filter((line) => !printed.replace(/\s+/g, ' ').includes(line))];
}

/** The words of a line that name the command. */
function commandIn(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const named = words.slice(0, end === -1 ? undefined : end);
  while (named.length > 0 && !(named.join(':') in commands)) named.pop();
  return named;
}

/** What is wrong with a mark: a test that does not exist, or that does not contain the words of the command. */
function faultOfTest(path: string, document: string, { text }: DocumentedCommand): string | null {
  if (!existsSync(join(root, path))) return `${path} does not exist`;
  const source = read(path);
  // It runs the commands of the document as they are written.
  if (source.includes(`'${document}'`)) return null;
  const lines = [...text.matchAll(/(?<![\w./-])svc +([^|;&<>]*)/g)].map(([, line]) => line!.split(/\s+/));
  const words = lines.flatMap((line) => [
    ...commandIn(line),
    ...line.filter((word) => word.startsWith('--')),
  ]);
  const lacking = words.filter((word) => !source.includes(word));
  return lacking.length === 0 ? null : `${path} does not contain ${lacking.join(', ')}: ${text}`;
}

describe('rule: every command line of a document is run, or says why not', () => {
  let server: TestServer;
  let shell: Shell;
  const folder = mkdtempSync(join(tmpdir(), 'svc-documents-'));
  before(async function () {
    if (missing.length > 0) return this.skip();
    server = await demoServer();
    shell = await openShell(folder, () => server.now);
    return undefined;
  });
  after(async () => {
    await shell?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    // Full rate buckets.
    server.now = new Date(server.now.getTime() + 60_000);
    writeFileSync(join(folder, 'access.log'), LOG);
    writeFileSync(join(folder, 'access.log.1.gz'), gzipSync(LOG));
    writeFileSync(join(folder, 'key.txt'), OPERATOR_KEY);
  });

  for (const document of documents) {
    it(document, async () => {
      const commands = blocksOf(document).flatMap((block) => block.commands);
      const own = commands.filter(({ mark }) => mark === undefined);
      const env = {
        ...{ XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder },
        ...{ SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY, URL: server.url, KEY: OPERATOR_KEY },
        ...{ COLUMNS: '80', NO_COLOR: '1' },
      };
      const typed = own.map(({ text, isTranscript }) => ({
        text,
        isTerminal: isTranscript && !text.includes('|'),
      }));
      const ran = await shell.run(typed, env);
      const faults = own.flatMap((command, at) => {
        const { output, status } = ran[at]!;
        const stale = isExpected(command, status) ? staleLines(command, output) : [`exit ${status}`];
        return stale.length === 0 ? [] : [{ command: command.text, stale, output: output.slice(0, 500) }];
      });
      expect(faults).to.deep.equal([]);
    });

    it(`${document}: marks are right`, () => {
      for (const { commands, marks } of blocksOf(document)) {
        for (const { about } of marks)
          for (const part of about)
            expect(
              commands.some(({ text }) => text.includes(part)),
              `${part} is in no command`,
            ).to.equal(true);
        const faults = commands.flatMap((command) =>
          command.mark?.kind === 'run by' ? (faultOfTest(command.mark.because, document, command) ?? []) : [],
        );
        expect(faults).to.deep.equal([]);
      }
    });
  }
});
