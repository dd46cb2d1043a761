/** Which rule decides about a path: RFC 9309, section 2.2. */

/** A pattern made ready for matching. */
export interface Pattern {
  /** What stands between the stars; the first begins the path. */
  readonly parts: readonly string[];
  /** Whether `$` ties the last part to the end of the path. */
  readonly anchored: boolean;
  /** Length in octets, by which rules are ranked. */
  readonly length: number;
}

export interface PathRule {
  readonly type: 'allow' | 'disallow';
  readonly pattern: Pattern;
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * One spelling for equal paths: octets outside ASCII are percent-encoded, encoded unreserved characters decoded, and
 * the hex digits of the others are upper-case.
 */
function normalisePath(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\u0020-\u007e]+/g, encodeURIComponent)
    .replace(/%([0-9A-Fa-f]{2})/g, (octet, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : octet.toUpperCase();
    });
}

/** `*` stands for any characters, `$` at the end for the end of the path. */
export function compilePattern(written: string): Pattern {
  const pattern = normalisePath(written);
  const anchored = pattern.endsWith('$');
  // Within a path both signs are written as octets, so the dollar that is no wildcard must be too.
  const open = (anchored ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24');
  return { parts: open.split('*'), anchored, length: pattern.length };
}

/** A path in which `*` and `$` are themselves, and so never meet the wildcards of a pattern. */
const literalPath = (path: string): string =>
  normalisePath(path).replaceAll('*', '%2A').replaceAll('$', '%24');

/** Whether a pattern matches the beginning of a path (with query). */
export const matchesPath = (pattern: Pattern, path: string): boolean =>
  matchesText(pattern, literalPath(path));

/** Takes time in proportion to both lengths: each part is searched for once, from where the last one ended. */
function matchesText({ parts, anchored }: Pattern, text: string): boolean {
  const first = parts[0] as string;
  if (!text.startsWith(first)) return false;
  if (parts.length === 1) return !anchored || text.length === first.length;
  let at = first.length;
  for (const part of anchored ? parts.slice(1, -1) : parts.slice(1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) as string;
  return !anchored || (text.endsWith(last) && text.length - last.length >= at);
}

/** The rule that decides about a path: the longest that matches; at equal length Allow. None: the path is allowed. */
export function decidingRule<R extends PathRule>(rules: readonly R[], path: string): R | undefined {
  const text = literalPath(path);
  let best: R | undefined;
  for (const rule of rules) {
    // An empty pattern rules on nothing.
    if (rule.pattern.length === 0 || !matchesText(rule.pattern, text)) continue;
    const order = best ? rule.pattern.length - best.pattern.length : 1;
    if (order > 0 || (order === 0 && rule.type === 'allow' && best?.type === 'disallow')) best = rule;
  }
  return best;
}
