/**
 * robots.txt as RFC 9309 has it, read as tolerantly as the large crawlers read it: a missing colon, common misspellings,
 * a byte order mark and bare carriage returns are understood, and a line that is no rule does not close a group.
 */

import { compilePattern, type PathRule } from './match.js';

export interface RobotsRule extends PathRule {
  /** The pattern as written; empty where the line states none. */
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
}

/** A colon may be missing where white space stands in its place. */
const DIRECTIVE = /^(?<name>user[-_ \t]?agent|allow|[a-z]+)[ \t]*(?::|(?<=[ \t]))[ \t]*(?<value>.*)$/i;
const AGENT_NAME = /^user[-_ \t]?agent$/i;
const DISALLOW_NAMES = new Set(['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']);
const PRODUCT_TOKEN = /^[A-Za-z0-9_.-]+/;

/** The groups of a file, in its order. Text that holds no rules, an HTML page for instance, gives none. */
export function parseRobots(text: string): RobotsGroup[] {
  const groups: OpenGroup[] = [];
  for (const written of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const line = written.replace(/#.*/, '').trim();
    const { name = '', value = '' } = DIRECTIVE.exec(line)?.groups ?? {};
    if (AGENT_NAME.test(name)) openGroup(groups).agents.push({ token: tokenOf(value), line });
    else {
      const type = ruleType(name);
      // Rules above the first group address nobody.
      if (type) groups.at(-1)?.rules.push({ type, path: value, line, pattern: compilePattern(value) });
    }
  }
  return groups;
}

/** Agent lines in a row share a group; the first one after a rule begins the next. */
function openGroup(groups: OpenGroup[]): OpenGroup {
  const last = groups.at(-1);
  if (last && last.rules.length === 0) return last;
  const group: OpenGroup = { agents: [], rules: [] };
  groups.push(group);
  return group;
}

function ruleType(name: string): PathRule['type'] | undefined {
  const folded = name.toLowerCase();
  if (folded === 'allow') return 'allow';
  return DISALLOW_NAMES.has(folded) ? 'disallow' : undefined;
}

/** The name that a group is addressed by: what follows the product token, a version for instance, does not count. */
function tokenOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return PRODUCT_TOKEN.exec(value)?.[0].toLowerCase() ?? '';
}
