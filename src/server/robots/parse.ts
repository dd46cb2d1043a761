/**
 * Parses robots.txt by RFC 9309, as tolerantly as the large crawlers: it accepts a missing colon, common misspellings, a
 * byte order mark (or a part of one) and bare carriage returns, and a line that is not a rule does not end a group.
 */

import { compilePattern, type PathRule } from './match.js';

export interface RobotsRule extends PathRule {
  /** The pattern as written; empty if the line has none. */
  readonly path: string;
  /** The whole line as written, without comment. */
  readonly line: string;
}

export interface RobotsGroup {
  readonly agents: readonly RobotsAgent[];
  readonly rules: readonly RobotsRule[];
}

export interface RobotsAgent {
  /** Product token in lower case, `*` for every agent. */
  readonly token: string;
  /** The line as written, without comment. */
  readonly line: string;
}

interface OpenGroup {
  readonly agents: RobotsAgent[];
  readonly rules: RobotsRule[];
  /** Whether a rule follows the agents. Then the next agent line begins another group. */
  hasRules: boolean;
}

const NAME = /^(?:user[-_ \t]?agent|[a-z]+)/i;
const AGENT_NAME = /^user[-_ \t]?agent$/i;
const DISALLOW_NAMES = new Set(['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']);
const PRODUCT_TOKEN = /^[A-Za-z0-9_.-]+/;
/** The longest pattern in octets. A longer one can only match addresses that servers refuse and that are not stored here. */
export const LONGEST_PATTERN = 2048;
/** A byte order mark, or the replacement character of a part of one. */
const MARK = /^[\ufeff\ufffd]+/;

/** The groups of a file, in order. Text without rules, such as an HTML page, gives an empty list. */
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
  if (path.length > LONGEST_PATTERN) return;
  const pattern = compilePattern(path);
  if (pattern.length <= LONGEST_PATTERN) group.rules.push({ type, path, line, pattern });
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
