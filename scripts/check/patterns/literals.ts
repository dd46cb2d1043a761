/** Regular expressions in source text. */

export interface Literal {
  readonly source: string;
  readonly flags: string;
  /** 1 for the first line of the file. */
  readonly line: number;
}

/** Comments, strings, templates (without nested ones) and regular expressions, whichever comes first. */
const token =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([a-z]*)/g;
/** The text before a slash that means division. */
const divides = /[\w$)\]]\s*$/;
const keyword = /\b(?:return|typeof|case|in|of)\s*$/;

/** The regular expression literals of a TypeScript source. */
export function literalsOf(text: string): Literal[] {
  const found: Literal[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, source, flags = ''] = match;
    if (source === undefined) continue;
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (divides.test(before) && !keyword.test(before)) token.lastIndex = match.index + 1;
    else found.push({ source, flags, line: text.slice(0, match.index).split('\n').length });
  }
  return found;
}
