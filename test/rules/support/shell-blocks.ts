/**
 * The command lines in the shell blocks of documents, and the marks of those that no test of documents can run. A mark is a
 * comment of HTML, which readers do not see, above the block:
 *
 *     <!-- not run: asks for a key -->                    all commands of the block below
 *     <!-- not run `svc login`, `svc open`: … -->         the commands that contain one of these texts
 *     <!-- run by test/cli/commands/serve.e2e.test.ts -->     another test runs them; texts may follow `run`
 */
export interface DocumentedCommand {
  /** As it is written, with all its lines. */
  readonly text: string;
  /** What the document shows as its output; always empty in a `sh` block. */
  readonly output: readonly string[];
  /** Whether the block shows a terminal. */
  readonly isTranscript: boolean;
  /** Why it is not run, or the test that runs it. */
  readonly mark: Mark | undefined;
}

export interface Mark {
  readonly kind: 'not run' | 'run by';
  /** The reason, or the path of the test. */
  readonly because: string;
  /** Texts of the commands that it is about; empty: all commands of the block. */
  readonly about: readonly string[];
}

/** A block of a document. */
export interface ShellBlock {
  readonly commands: readonly DocumentedCommand[];
  readonly marks: readonly Mark[];
}

const BLOCK = /((?:^ *<!--.*?-->\n+)*)^( *)```(sh|bash|shell|console)\n(.*?)^ *```$/gms;

/** All shell blocks of a text in Markdown, in order. */
export const shellBlocks = (markdown: string): ShellBlock[] =>
  [...markdown.matchAll(BLOCK)].map(([, comments, indent, kind, body]) => {
    const marks = [...comments!.matchAll(/<!-- (.*?) -->/gs)].flatMap(([, text]) => markOf(text!) ?? []);
    const lines = body!.split('\n').map((line) => line.slice(indent!.length));
    const isTranscript = kind === 'console';
    const found = isTranscript ? typedIn(lines) : scriptLines(lines).map((text) => ({ text, output: [] }));
    const markFor = (text: string) =>
      marks.find(({ about }) => about.length === 0 || about.some((part) => text.includes(part)));
    return { marks, commands: found.map((each) => ({ ...each, isTranscript, mark: markFor(each.text) })) };
  });

/** `not run: REASON`, ``not run `a`, `b`: REASON``, `run by PATH`; undefined for another comment. */
function markOf(comment: string): Mark | undefined {
  const [, kind, about = '', because] =
    /^(not run|run by|run)((?: `[^`]+`,?)*)(?::| by)? +(\S.*)$/s.exec(comment.replace(/\s+/g, ' ')) ?? [];
  if (kind === undefined) return undefined;
  const texts = [...about.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
  return { kind: kind === 'not run' ? 'not run' : 'run by', because: because!, about: texts };
}

/** The commands behind `$ ` and the lines below each. */
function typedIn(lines: readonly string[]): { text: string; output: string[] }[] {
  const found: { text: string; output: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) found.push({ text: line.slice(2), output: [] });
    else found.at(-1)?.output.push(line);
  }
  return found;
}

/** The commands of a script: a `\` at the end of a line and a here-document join lines. Comments are left out. */
function scriptLines(lines: readonly string[]): string[] {
  const found: string[] = [];
  let [open, end] = [false, undefined as string | undefined];
  for (const line of lines) {
    if (open || end !== undefined) found.push(`${found.pop()}\n${line}`);
    else if (/^\s*(#|$)/.test(line)) continue;
    else found.push(line);
    if (line === end) end = undefined;
    else end ??= /<<-?'?(\w+)/.exec(line)?.[1];
    open = line.endsWith('\\');
  }
  return found;
}
