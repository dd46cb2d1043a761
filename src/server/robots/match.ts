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
    const found = find(text, part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) as string;
  return !anchored || (text.endsWith(last) && text.length - last.length >= at);
}

/**
 * Where `part` stands in `text` from `at` on, -1 where it does not. Looks at no character of the text twice (Knuth, Morris
 * and Pratt): `indexOf` takes the product of both lengths where they are written for that.
 */
function find(text: string, part: string, at: number): number {
  if (part.length > text.length - at) return -1;
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = at; matched < part.length; i++) {
    if (i === text.length) return -1;
    while (matched > 0 && text[i] !== part[matched]) matched = borders[matched - 1] as number;
    if (text[i] === part[matched]) matched++;
    if (matched === part.length) return i + 1 - matched;
  }
  return at;
}

/** For each beginning of `part`, how long the longest shorter beginning is that it ends in. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let matched = 0;
  for (let i = 1; i < part.length; i++) {
    while (matched > 0 && part[i] !== part[matched]) matched = borders[matched - 1] as number;
    if (part[i] === part[matched]) matched++;
    borders[i] = matched;
  }
  return borders;
}

/**
 * Rules in the order in which the first that matches decides: the longest first; of equal length Allow first; of equal
 * type as in the file. Without empty patterns, which rule on nothing.
 */
export const rank = <R extends PathRule>(rules: readonly R[]): R[] =>
  rules.filter((rule) => rule.pattern.length > 0).sort(byRank);

const byRank = (a: PathRule, b: PathRule): number =>
  b.pattern.length - a.pattern.length || Number(b.type === 'allow') - Number(a.type === 'allow');

/** How much may still be spent, in characters looked at: a limit that several questions about one file share. */
export interface Effort {
  left: number;
}

/** Going from one rule to the next costs as much as so many characters. */
const RULE_EFFORT = 10;

/**
 * The one of ranked rules that decides about a path, of those that apply: the first that matches. None: the path is
 * allowed, or the effort is used up.
 */
export function decidingRule<R extends PathRule>(
  ranked: readonly R[],
  path: string,
  applies: (rule: R) => boolean = () => true,
  effort: Effort = { left: Number.POSITIVE_INFINITY },
): R | undefined {
  if (effort.left <= 0) return undefined;
  const text = literalPath(path);
  for (const rule of ranked) {
    if (!applies(rule)) continue;
    const { parts, length } = rule.pattern;
    effort.left -= RULE_EFFORT + (parts.length === 1 ? Math.min(length, text.length) : length + text.length);
    if (effort.left <= 0) return undefined;
    if (matchesText(rule.pattern, text)) return rule;
  }
  return undefined;
}
