/**
 * Replaces one table of a TOML document and leaves every other byte as it is. The file belongs to another program and may
 * have comments of its user. Parsers return values without their places; libraries that patch a document may move comments
 * into another table, or write the new table as a dotted key beside tables of the same name, which strict parsers refuse. So
 * the statements are found here, and values are only skipped.
 */
import { ConfigSyntaxError } from './syntax-error.js';

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key as it is written. */
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
export function tomlStatements(text: string): Statement[] {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const fail = (reason: string): never => {
    throw new ConfigSyntaxError(text, at, reason);
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const takes = (word: string): boolean => {
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return true;
  };
  const path = (): string[] => {
    const keys: string[] = [];
    do {
      match(BLANK);
      const key = match(KEY) ?? fail('a key is expected');
      keys.push(key.startsWith('"') ? JSON.parse(key) : key.replace(/^'(.*)'$/, '$1'));
      match(BLANK);
    } while (takes('.'));
    return keys;
  };
  const list = (close: string, element: () => void): void => {
    for (;;) {
      match(SPACE);
      if (takes(close)) return;
      element();
      match(SPACE);
      if (!takes(',') && text[at] !== close) fail(`a comma or ${close} is expected`);
    }
  };
  const assigned = (): void => {
    if (!takes('=')) fail('an equals sign is expected');
    match(BLANK);
    value();
  };
  const pair = (): void => {
    path();
    assigned();
  };
  function value(): void {
    if (takes('[')) list(']', value);
    else if (takes('{')) list('}', pair);
    else if (match(TEXT) === undefined && match(BARE) === undefined) fail('a value is expected');
  }

  const statements: Statement[] = [];
  for (match(SPACE); at < text.length; match(SPACE)) {
    const start = at;
    const close = takes('[[') ? ']]' : takes('[') ? ']' : null;
    const keys = path();
    if (close === null) assigned();
    else if (!takes(close)) fail(`${close} is expected`);
    const end = at;
    if (match(LINE_END) === undefined) fail('the end of the line is expected');
    statements.push({ kind: close === null ? 'pair' : 'header', path: keys, start, end });
  }
  return statements;
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
