/** JSON with comments and commas at the end, as editors store their settings. */
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
} from 'jsonc-parser';
import { ConfigSyntaxError } from './config-file.js';

/**
 * The text with `value` at a path of objects, which are added where they are missing. Everything else is unchanged, comments
 * too.
 * @throws ConfigSyntaxError for a text that cannot be parsed, or a step of the path that is not an object.
 */
export function withJsonValue(text: string, path: readonly string[], value: unknown): string {
  const style = styleOf(text);
  if (/^[\s\uFEFF]*$/.test(text)) return `${written(nested(path, value), 0, style)}${style.newline}`;
  let node: Node = parseJsonc(text);
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') {
      const name = depth === 0 ? 'the file' : `"${path[depth - 1]}"`;
      throw new ConfigSyntaxError(text, node.offset, `${name} is expected to be an object`);
    }
    // The last of equal keys counts.
    const member = node.children?.findLast(({ children }) => children?.[0]?.value === key);
    if (!member) return withMember(text, node, key, nested(path.slice(depth + 1), value), depth + 1, style);
    node = member.children![1]!;
  }
  const inner = written(value, path.length, style);
  return text.slice(0, node.offset) + inner + text.slice(endOf(node));
}

interface Style {
  readonly indent: string;
  readonly newline: string;
}

/** How the file is indented; two spaces if it is not. */
const styleOf = (text: string): Style => ({
  indent: /^([ \t]+)["}\]]/m.exec(text)?.[1] ?? '  ',
  newline: text.includes('\r\n') ? '\r\n' : '\n',
});

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value);

/** JSON of a value that stands `depth` objects deep. */
const written = (value: unknown, depth: number, { indent, newline }: Style): string =>
  JSON.stringify(value, null, indent).replaceAll('\n', newline + indent.repeat(depth));

const endOf = ({ offset, length }: Node): number => offset + length;

/**
 * Adds a member at the end of an object. Comments behind the last one keep their place, which `modify` of the parser does
 * not promise.
 */
function withMember(
  text: string,
  object: Node,
  key: string,
  value: unknown,
  depth: number,
  style: Style,
): string {
  const { indent, newline } = style;
  const close = endOf(object) - 1;
  const [last] = object.children?.slice(-1).map(endOf) ?? [];
  const endsWithComma = last !== undefined && stripComments(text.slice(last, close)).includes(',');
  const before =
    last === undefined || endsWithComma ? text.slice(0, close) : commaAt(text.slice(0, close), last);
  const member = `${JSON.stringify(key)}: ${written(value, depth, style)}${endsWithComma ? ',' : ''}`;
  const lines = [
    before.trimEnd(),
    indent.repeat(depth) + member,
    indent.repeat(depth - 1) + text.slice(close),
  ];
  return lines.join(newline);
}

const commaAt = (text: string, at: number): string => `${text.slice(0, at)},${text.slice(at)}`;

/** Descriptions of faults, by the error codes of the parser. */
const reasons: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word is not known: texts and names stand in double quotes',
  CommaExpected: 'a comma is expected',
  ColonExpected: 'a colon is expected',
  ValueExpected: 'a value is expected',
  PropertyNameExpected: 'a name in double quotes is expected',
  CloseBraceExpected: '} is expected',
  CloseBracketExpected: '] is expected',
  EndOfFileExpected: 'nothing is expected behind the value',
  InvalidEscapeCharacter: 'a text has an unknown escape',
  InvalidCharacter: 'a text has a control character',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end',
};

/** @throws ConfigSyntaxError with the line of the first fault. */
function parseJsonc(text: string): Node {
  const errors: ParseError[] = [];
  const root = rootOf(text, errors);
  const [first] = errors;
  if (first) {
    const code = printParseErrorCode(first.error);
    throw new ConfigSyntaxError(text, first.offset, reasons[code] ?? code);
  }
  if (!root) throw new ConfigSyntaxError(text, 0, reasons.ValueExpected!);
  return root;
}

function rootOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for every level.
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigSyntaxError(text, 0, 'it is nested too deeply');
  }
}

/** The value of a text. @throws ConfigSyntaxError with the line of the first fault. */
export const jsoncValue = (text: string): unknown => getNodeValue(parseJsonc(text));
