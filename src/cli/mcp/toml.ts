/**
 * Replaces one table of a TOML document and leaves every other byte as it is. The file belongs to another program and may
 * have comments of its user. Parsers return values without their places; libraries that patch a document may move comments
 * into another table, or write the new table as a dotted key next to tables of the same name, which strict parsers refuse. So
 * `toml-statements.ts` finds the statements, and skips values.
 */
import { ConfigSyntaxError } from './config-file.js';

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** An object of texts, lists of texts and objects, as tables. Such texts are the same in TOML and JSON. */
export function tomlTables(path: readonly string[], table: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(table);
  const own = entries.filter(([, value]) => !isTable(value));
  const lines = own.map(([key, value]) => `${keyText(key)} = ${JSON.stringify(value)}\n`);
  const inner = entries.flatMap(([key, value]) =>
    isTable(value) ? [`\n${tomlTables([...path, key], value)}`] : [],
  );
  return `[${path.map(keyText).join('.')}]\n${lines.join('')}${inner.join('')}`;
}

const below = (path: readonly string[], of: readonly string[]): boolean =>
  of.every((key, at) => path[at] === key);

/**
 * The text with this table in place of the one at the path and of those below it, else at the end. Everything else is
 * unchanged.
 * @throws ConfigSyntaxError for a text that cannot be parsed, or a table that is written in another form.
 */
export function withTomlTable(
  text: string,
  path: readonly string[],
  table: Readonly<Record<string, unknown>>,
): string {
  const statements = tomlStatements(text);
  const ranges: { start: number; end: number }[] = [];
  let header: readonly string[] = [];
  for (const { kind, path: keys, start, end } of statements) {
    if (kind === 'header') header = keys;
    const isOurs = below(header, path);
    const whole = kind === 'header' ? keys : [...header, ...keys];
    const inline = kind === 'pair' && !isOurs && (below(whole, path) || below(path, whole));
    if (inline)
      throw new ConfigSyntaxError(text, start, `${path.join('.')} is written without a table of its own`);
    if (kind === 'header' && isOurs) ranges.push({ start, end });
    else if (isOurs) ranges[ranges.length - 1]!.end = end;
  }
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const added = tomlTables(path, table).trimEnd().replaceAll('\n', newline);
  const [first, ...others] = ranges;
  if (!first) {
    const before = text.trimEnd();
    return `${before}${before === '' ? '' : newline + newline}${added}${newline}`;
  }
  const rest = others.reduceRight(
    (left, { start, end }) => left.slice(0, start).trimEnd() + left.slice(end),
    text,
  );
  return rest.slice(0, first.start) + added + rest.slice(first.end);
}

// Finds the statements of a TOML document with their places.

/** A line `[a.b]`, or a line `a.b = …`. */
interface Statement {
  readonly kind: 'header' | 'pair';
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

const BLANK = /[ \t]*/y;
const SPACE = /(?:\s|#[^\n]*)*/y;
const KEY = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const TEXT = /"""[\s\S]*?(?<!\\)"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
/** Numbers, booleans, dates and times. */
const BARE = /[\w+.:-]+(?: \d\d:[\d:.Z+-]+)?/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/**
 * The statements of a TOML document, in order. Values are skipped.
 * @throws ConfigSyntaxError with the line of the first fault.
 */
export const tomlStatements = (text: string): Statement[] => new Scanner(text).statements();

/** Reads a document from its beginning to its end. */
class Scanner {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  statements(): Statement[] {
    const found: Statement[] = [];
    for (this.#match(SPACE); this.#at < this.#text.length; this.#match(SPACE)) {
      found.push(this.#statement());
      if (this.#match(LINE_END) === undefined) this.#fail('the end of the line is expected');
    }
    return found;
  }

  #statement(): Statement {
    const start = this.#at;
    const close = this.#takes('[[') ? ']]' : this.#takes('[') ? ']' : null;
    const path = this.#path();
    if (close === null) this.#assigned();
    else if (!this.#takes(close)) this.#fail(`${close} is expected`);
    return { kind: close === null ? 'pair' : 'header', path, start, end: this.#at };
  }

  #path(): string[] {
    const keys: string[] = [];
    do {
      this.#match(BLANK);
      const key = this.#match(KEY) ?? this.#fail('a key is expected');
      keys.push(key.startsWith('"') ? JSON.parse(key) : key.replace(/^'(.*)'$/, '$1'));
      this.#match(BLANK);
    } while (this.#takes('.'));
    return keys;
  }

  #assigned(): void {
    if (!this.#takes('=')) this.#fail('an equals sign is expected');
    this.#match(BLANK);
    this.#value();
  }

  #value(): void {
    if (this.#takes('[')) this.#list(']', () => this.#value());
    else if (this.#takes('{')) this.#list('}', () => this.#pair());
    else if (this.#match(TEXT) === undefined && this.#match(BARE) === undefined)
      this.#fail('a value is expected');
  }

  #pair(): void {
    this.#path();
    this.#assigned();
  }

  #list(close: string, element: () => void): void {
    for (;;) {
      this.#match(SPACE);
      if (this.#takes(close)) return;
      element();
      this.#match(SPACE);
      if (!this.#takes(',') && this.#text[this.#at] !== close) this.#fail(`a comma or ${close} is expected`);
    }
  }

  /** The text that the pattern matches here; undefined: it does not match. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #fail(reason: string): never {
    throw new ConfigSyntaxError(this.#text, this.#at, reason);
  }
}
