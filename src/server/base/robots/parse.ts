/**
 * Parses robots.txt by RFC 9309, as tolerantly as the large crawlers: it accepts a missing colon, common misspellings, a
 * byte order mark (or a part of one) and bare carriage returns, and a line that is not a rule does not end a group.
 */

export interface RobotsRule extends PathRule {
  /** The pattern as written; empty if the line has none. */
  readonly path: string;
  /** The whole line as written, without comment. */
  readonly line: string;
}

export interface RobotsGroup {
  readonly agents: readonly RobotsAgent[];
  readonly rules: readonly RobotsRule[];
  /** What the group states about the use of content; absent: nothing. */
  readonly signals?: readonly RobotsSignal[];
}

/** A line about the use of content: it changes no verdict. */
export interface RobotsSignal {
  readonly kind: 'content_signal' | 'content_usage' | 'license';
  /** The line as written, without comment. */
  readonly line: string;
}

interface RobotsAgent {
  /** Product token in lower case, `*` for every agent. */
  readonly token: string;
  /** The line as written, without comment. */
  readonly line: string;
}

interface OpenGroup {
  readonly agents: RobotsAgent[];
  readonly rules: RobotsRule[];
  signals?: RobotsSignal[];
  /** Whether a rule follows the agents. Then the next agent line begins another group. */
  hasRules: boolean;
}

const NAME = /^(?:user[-_ \t]?agent|content-(?:signal|usage)|[a-z]+)/i;
const AGENT_NAME = /^user[-_ \t]?agent$/i;
const DISALLOW_NAMES = new Set(['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']);
const PRODUCT_TOKEN = /^[A-Za-z0-9_.-]+/;
/** The longest pattern in octets. A longer one can only match addresses that servers refuse and that are not stored here. */
const MAX_PATTERN = 2048;
const SIGNALS: Readonly<Record<string, RobotsSignal['kind']>> = {
  'content-signal': 'content_signal',
  'content-usage': 'content_usage',
  license: 'license',
};
/** A byte order mark, or the replacement character of a part of one. */
const MARK = /^[\ufeff\ufffd]+/;

/** The groups of a file, in order. Text without rules, such as an HTML page, has none. */
export function parseRobots(text: string): RobotsGroup[] {
  const groups: OpenGroup[] = [];
  for (const written of text.replace(MARK, '').split(/\r\n|\r|\n/)) {
    const line = withoutComment(written);
    const { name, value } = directiveOf(line);
    if (AGENT_NAME.test(name)) openGroup(groups).agents.push({ token: tokenOf(value), line });
    else {
      const type = ruleType(name);
      // A rule before the first group applies to no agent.
      if (type) addRule(groups.at(-1), type, value, line);
      else addSignal(groups, SIGNALS[name.toLowerCase()], line);
    }
  }
  return groups;
}

function withoutComment(written: string): string {
  const comment = written.indexOf('#');
  return (comment < 0 ? written : written.slice(0, comment)).trim();
}

/**
 * The name and value of a line; both empty if it is not a directive. White space may replace the colon. Linear, because
 * the length of lines is untrusted.
 */
function directiveOf(line: string): { readonly name: string; readonly value: string } {
  const name = NAME.exec(line)?.[0] ?? '';
  let at = name.length;
  while (line[at] === ' ' || line[at] === '\t') at++;
  const hasColon = line[at] === ':';
  if (!hasColon && at === name.length) return { name: '', value: '' };
  return { name, value: line.slice(hasColon ? at + 1 : at).trim() };
}

function addRule(group: OpenGroup | undefined, type: PathRule['type'], path: string, line: string): void {
  if (!group) return;
  group.hasRules = true;
  if (path.length > MAX_PATTERN) return;
  const pattern = compilePattern(path);
  if (pattern.length <= MAX_PATTERN) group.rules.push({ type, path, line, pattern });
}

/** A licence applies to all agents wherever it stands, the others to those of their group; like rules, before it to none. */
function addSignal(groups: OpenGroup[], kind: RobotsSignal['kind'] | undefined, line: string): void {
  if (kind === undefined) return;
  if (kind === 'license' && groups.length === 0) groups.push({ agents: [], rules: [], hasRules: true });
  const group = groups.at(-1);
  if (group) group.signals = [...(group.signals ?? []), { kind, line }];
}

/** Agent lines in a row share a group; the first one after a rule begins the next. */
function openGroup(groups: OpenGroup[]): OpenGroup {
  const last = groups.at(-1);
  if (last && !last.hasRules) return last;
  const group: OpenGroup = { agents: [], rules: [], hasRules: false };
  groups.push(group);
  return group;
}

function ruleType(name: string): PathRule['type'] | undefined {
  const folded = name.toLowerCase();
  if (folded === 'allow') return 'allow';
  return DISALLOW_NAMES.has(folded) ? 'disallow' : undefined;
}

/** The product token of an agent line, without the text behind it, for example a version. */
function tokenOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return PRODUCT_TOKEN.exec(value)?.[0].toLowerCase() ?? '';
}

// Finds the rule that applies to a path, by RFC 9309, section 2.2.

interface Pattern {
  /** The texts between the stars. The path begins with the first one. */
  readonly parts: readonly string[];
  /** Whether `$` ties the last part to the end of the path. */
  readonly anchored: boolean;
  /** Length in octets. Rules are ranked by it. */
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
  // Paths contain both signs percent-encoded, so a dollar sign that is not a wildcard is encoded too.
  const open = (anchored ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24');
  return { parts: open.split('*'), anchored, length: pattern.length };
}

/** Escapes `*` and `$` in a path, so that they are not taken for wildcards. */
const literalPath = (path: string): string =>
  normalisePath(path).replaceAll('*', '%2A').replaceAll('$', '%24');

/** Whether a pattern matches the beginning of a path (with query). */
export const matchesPath = (pattern: Pattern, path: string): boolean =>
  matchesText(pattern, literalPath(path));

/** Linear in both lengths: each part is searched once, from the end of the previous one. */
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
 * The index of `part` in `text` from `at` on; -1 if it is absent. Linear in both lengths (Knuth, Morris and Pratt):
 * `indexOf` takes the product of both for hostile input.
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

/** Returns for each prefix of `part` the length of the longest shorter prefix that is also its suffix. */
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
 * Sorts rules so that the first match decides: longest pattern first, then Allow before Disallow, then the order of the
 * file. Empty patterns are removed, because they match nothing.
 */
export const rank = <R extends PathRule>(rules: readonly R[]): R[] =>
  rules.filter((rule) => rule.pattern.length > 0).sort(byRank);

const byRank = (a: PathRule, b: PathRule): number =>
  b.pattern.length - a.pattern.length || Number(b.type === 'allow') - Number(a.type === 'allow');

/** The remaining work, in compared characters: a limit that all checks of one file share. */
export interface Effort {
  left: number;
}

/** The work per rule, in characters. */
const RULE_EFFORT = 10;

/**
 * The first of the ranked rules that applies and matches the path. Undefined: the path is allowed, or the effort is used
 * up.
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
