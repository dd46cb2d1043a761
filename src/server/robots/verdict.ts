/** What a robots.txt says to one agent about a site: its root, and the first part that is closed. */
import { decidingRule } from './match.js';
import type { RobotsGroup, RobotsRule } from './parse.js';

export interface RobotsVerdict {
  readonly verdict: 'allowed' | 'blocked' | 'unaddressed';
  /** The deciding line with its group, as written; null when no rule decided. */
  readonly rule: string | null;
  /** `/` when the site is closed, else the first pattern that closes a part of it; null: nothing is closed. */
  readonly blocked_path: string | null;
}

/** The names that an agent may be addressed by: its own, then those whose group applies when none of its own does. */
export interface RobotsNames {
  readonly robotsTokens: readonly string[];
  readonly robotsFallback: readonly string[];
}

/** All groups of a file that name one token: they count as one. */
interface Addressed {
  readonly token: string;
  readonly groups: readonly RobotsGroup[];
}

/** What groups say as one, whoever they name. */
interface Ruling {
  /** The rule about the root. */
  readonly root: RobotsRule | undefined;
  /** The first Disallow that closes a part. */
  readonly closed: RobotsRule | undefined;
  /** A `Disallow:` without a path: it matches nothing and is how a file opens itself to an agent on purpose. */
  readonly opening: RobotsRule | undefined;
}

/** A line may be as long as the file; an answer shows its beginning. */
const LONGEST_SHOWN = 2048;
/** So many Disallow lines are looked at for one that no Allow takes back: each is held against every rule. */
const MOST_CANDIDATES = 100;

/** The verdicts of one file. Groups that apply to many agents, as the one for all does, are judged once. */
export function robotsVerdicts(groups: readonly RobotsGroup[]): (names: RobotsNames) => RobotsVerdict {
  const rulings = new Map<string, Ruling>();
  const ruled = (applying: Addressed): Ruling => {
    const which = applying.groups.map((group) => groups.indexOf(group)).join();
    const ruling = rulings.get(which) ?? rulingOf(applying.groups.flatMap((group) => group.rules));
    rulings.set(which, ruling);
    return ruling;
  };
  return ({ robotsTokens, robotsFallback }) => {
    const named = [...robotsTokens, ...robotsFallback]
      .map((token) => addressed(groups, token.toLowerCase()))
      .find((each) => each.groups.length > 0);
    const applying = named ?? addressed(groups, '*');
    return verdictOf(ruled(applying), applying, named !== undefined);
  };
}

function verdictOf({ root, closed, opening }: Ruling, by: Addressed, isNamed: boolean): RobotsVerdict {
  if (root?.type === 'disallow') return { verdict: 'blocked', rule: written(root, by), blocked_path: '/' };
  const blocked_path = closed ? shown(closed.path) : null;
  if (!isNamed) return { verdict: 'unaddressed', rule: null, blocked_path };
  const decided = root ?? opening;
  return { verdict: 'allowed', rule: decided ? written(decided, by) : null, blocked_path };
}

const rulingOf = (rules: readonly RobotsRule[]): Ruling => ({
  root: decidingRule(rules, '/'),
  closed: firstClosed(rules),
  opening: rules.find((rule) => rule.type === 'disallow' && rule.path === ''),
});

const addressed = (groups: readonly RobotsGroup[], token: string): Addressed => ({
  token,
  groups: groups.filter(({ agents }) => agents.some((agent) => agent.token === token)),
});

/** The first Disallow, in the file's order, that can match a path and that no longer Allow takes back. */
const firstClosed = (rules: readonly RobotsRule[]): RobotsRule | undefined =>
  rules
    .filter((rule) => rule.type === 'disallow' && /^[/*]/.test(rule.path))
    .slice(0, MOST_CANDIDATES)
    .find((rule) => decidingRule(rules, samplePath(rule.path))?.type === 'disallow');

/** A path that the pattern matches, and that goes on where it may: an Allow of one page alone takes nothing back. */
const samplePath = (pattern: string): string =>
  (pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}~`).replaceAll('*', '');

/** `User-agent: GPTBot / Disallow: /` */
function written(rule: RobotsRule, { token, groups }: Addressed): string {
  const group = groups.find(({ rules }) => rules.includes(rule));
  const agent = group?.agents.find((each) => each.token === token);
  return shown(`${agent?.line} / ${rule.line}`);
}

const shown = (text: string): string => text.slice(0, LONGEST_SHOWN).toWellFormed();
