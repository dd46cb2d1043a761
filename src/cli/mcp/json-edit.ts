import { type Node, stripComments } from 'jsonc-parser';
import { parseJsonc } from './jsonc.js';
import { ConfigSyntaxError } from './syntax-error.js';

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
