/** JSON with comments and commas at the end, as editors store their settings. */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ConfigSyntaxError } from './syntax-error.js';

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
export function parseJsonc(text: string): Node {
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
