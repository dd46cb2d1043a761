/**
 * Replaces one table of a TOML document and leaves every other byte as it is. The file belongs to another program and may
 * have comments of its user. Parsers return values without their places; libraries that patch a document may move comments
 * into another table, or write the new table as a dotted key beside tables of the same name, which strict parsers refuse. So
 * `toml-statements.ts` finds the statements, and skips values.
 */
import { ConfigSyntaxError } from './syntax-error.js';
import { tomlStatements } from './toml-statements.js';

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
