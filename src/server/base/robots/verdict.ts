/** The verdict of a robots.txt for an agent: whether the root is allowed, and the first blocked path. */
import {
  decidingRule,
  type Effort,
  matchesPath,
  type RobotsGroup,
  type RobotsRule,
  type RobotsSignal,
  rank,
} from './parse.js';

export interface RobotsVerdict {
  readonly verdict: 'allowed' | 'blocked' | 'unaddressed';
  /** The deciding line with its group, as `User-agent: GPTBot / Disallow: /`; null when no rule decided. */
  readonly rule: string | null;
  /** `/` if the whole site is blocked, else the first pattern that blocks a part of it; null: nothing is blocked. */
  readonly blocked_path: string | null;
}

/** The tokens of an agent: its own, then those whose group applies if no group names its own. */
export interface RobotsNames {
  readonly robotsTokens: readonly string[];
  readonly robotsFallback: readonly string[];
}

/** A rule and the number of its group, from 0. */
interface PlacedRule extends RobotsRule {
  readonly group: number;
}

/** A token and the numbers of the groups of a file that name it: they count as one group. */
interface Addressed {
  readonly token: string;
  readonly groups: readonly number[];
}

/** The combined rules of some groups. */
interface Ruling {
  /** The rule about the root. */
  readonly root: PlacedRule | undefined;
  /** The first Disallow that blocks a part of the site. */
  readonly closed: PlacedRule | undefined;
  /** A `Disallow:` without a path. It matches nothing: the file explicitly allows the agent everything. */
  readonly opening: PlacedRule | undefined;
}

/** The longest part of a line that is shown. A line may be as long as the file. */
const MAX_SHOWN = 2048;
/** The limit of Disallow lines that are checked in the search for one that no Allow overrides. */
const MAX_CANDIDATES = 100;
/** The limit of that work per file: about a tenth of a second, and far more than a real file needs. */
const MAX_EFFORT = 3_000_000;

/** Returns the function that returns the verdicts of one file. Groups that apply to several agents are evaluated once. */
export function robotsVerdicts(groups: readonly RobotsGroup[]): (names: RobotsNames) => RobotsVerdict {
  const addressed = addressing(groups);
  const ruled = ruling(groups);
  return (names) => {
    const { applying, isNamed } = applyingTo(names, addressed);
    return verdictOf(ruled(applying.groups), (rule) => written(groups, applying, rule), isNamed);
  };
}

/** The most signals that are shown of a file, for an agent. */
const MAX_SIGNALS = 20;

/** Returns the function that returns what a file states about the use of content to an agent, each with its group. */
export function robotsSignals(groups: readonly RobotsGroup[]): (names: RobotsNames) => RobotsSignal[] {
  if (!groups.some(({ signals }) => signals)) return () => [];
  const addressed = addressing(groups);
  const licences = groups.flatMap(({ signals }) => signals ?? []).filter(({ kind }) => kind === 'license');
  return (names) => {
    const { groups: numbers, token } = applyingTo(names, addressed).applying;
    const own = numbers.flatMap((number) => {
      const { agents, signals = [] } = groups[number]!;
      const agent = agents.find((each) => each.token === token);
      return signals
        .filter(({ kind }) => kind !== 'license')
        .map(({ kind, line }) => ({ kind, line: shown(`${agent?.line} / ${line}`) }));
    });
    return [...own, ...licences.map(({ kind, line }) => ({ kind, line: shown(line) }))].slice(0, MAX_SIGNALS);
  };
}

/** What the rules say about one page. */
export type PageVerdict = Omit<RobotsVerdict, 'blocked_path'>;
/** Null: the effort for the file is used up. @param path With the query. */
export type PageVerdicts = (names: RobotsNames, path: string) => PageVerdict | null;

/** Returns the function that returns the verdicts of one file about pages. Each page is checked once for a set of groups. */
export function pageVerdicts(groups: readonly RobotsGroup[]): PageVerdicts {
  const addressed = addressing(groups);
  const ranked = rank(groups.flatMap(({ rules }, group) => rules.map((rule) => ({ ...rule, group }))));
  const effort: Effort = { left: MAX_EFFORT };
  const known = new Map<string, PlacedRule | undefined>();
  return (names, path) => {
    const { applying, isNamed } = applyingTo(names, addressed);
    const which = `${applying.groups.join()} ${path}`;
    if (!known.has(which)) {
      const numbers = new Set(applying.groups);
      known.set(
        which,
        decidingRule(ranked, path, ({ group }) => numbers.has(group), effort),
      );
      if (effort.left <= 0) known.delete(which);
    }
    if (!known.has(which)) return null;
    const rule = known.get(which);
    const verdict = rule?.type === 'disallow' ? 'blocked' : isNamed ? 'allowed' : 'unaddressed';
    return { verdict, rule: rule && verdict !== 'unaddressed' ? written(groups, applying, rule) : null };
  };
}

/** The groups for an agent: those that name it, else those for all. */
function applyingTo({ robotsTokens, robotsFallback }: RobotsNames, addressed: (token: string) => Addressed) {
  const named = [...robotsTokens, ...robotsFallback]
    .map((token) => addressed(token.toLowerCase()))
    .find((each) => each.groups.length > 0);
  return { applying: named ?? addressed('*'), isNamed: named !== undefined };
}

/** The line of a rule behind that of its group. */
function written(groups: readonly RobotsGroup[], { token }: Addressed, rule: PlacedRule): string {
  const agent = groups[rule.group]?.agents.find((each) => each.token === token);
  return shown(`${agent?.line} / ${rule.line}`);
}

/** Finds the groups of a token. */
function addressing(groups: readonly RobotsGroup[]): (token: string) => Addressed {
  const byToken = new Map<string, number[]>();
  groups.forEach(({ agents }, number) => {
    for (const token of new Set(agents.map((agent) => agent.token))) {
      const numbers = byToken.get(token);
      if (numbers) numbers.push(number);
      else byToken.set(token, [number]);
    }
  });
  return (token) => ({ token, groups: byToken.get(token) ?? [] });
}

/** Evaluates groups, by their numbers. Shared data is computed once, and the effort is limited for the whole file. */
function ruling(groups: readonly RobotsGroup[]): (numbers: readonly number[]) => Ruling {
  const inOrder = groups.flatMap(({ rules }, group) => rules.map((rule) => ({ ...rule, group })));
  const ranked = rank(inOrder);
  const aboutRoot = ranked.filter(({ pattern }) => matchesPath(pattern, '/'));
  const openings = inOrder.filter(({ type, path }) => type === 'disallow' && path === '');
  const closing = inOrder.filter(({ type, path }) => type === 'disallow' && /^[/*]/.test(path));
  const effort: Effort = { left: MAX_EFFORT };
  const known = new Map<string, Ruling>();
  return (numbers) => {
    const which = numbers.join();
    const former = known.get(which);
    if (former) return former;
    const applying = new Uint8Array(groups.length);
    for (const number of numbers) applying[number] = 1;
    const applies = ({ group }: PlacedRule): boolean => applying[group] === 1;
    const decides = (path: string) => decidingRule(ranked, path, applies, effort);
    const made: Ruling = {
      root: aboutRoot.find(applies),
      opening: openings.find(applies),
      closed: firstClosed(closing, applies, decides),
    };
    known.set(which, made);
    return made;
  };
}

/** The first Disallow in the file that applies and that no longer Allow overrides. */
function firstClosed(
  closing: readonly PlacedRule[],
  applies: (rule: PlacedRule) => boolean,
  decides: (path: string) => PlacedRule | undefined,
): PlacedRule | undefined {
  let candidates = 0;
  for (const rule of closing) {
    if (!applies(rule)) continue;
    if (decides(samplePath(rule.path))?.type === 'disallow') return rule;
    if (++candidates === MAX_CANDIDATES) return undefined;
  }
  return undefined;
}

function verdictOf(
  { root, closed, opening }: Ruling,
  written: (rule: PlacedRule) => string,
  isNamed: boolean,
): RobotsVerdict {
  if (root?.type === 'disallow') return { verdict: 'blocked', rule: written(root), blocked_path: '/' };
  const blocked_path = closed ? shown(closed.path) : null;
  if (!isNamed) return { verdict: 'unaddressed', rule: null, blocked_path };
  const decided = root ?? opening;
  return { verdict: 'allowed', rule: decided ? written(decided) : null, blocked_path };
}

/** A path that the pattern matches, extended if possible, so that an Allow of a single page does not override it. */
const samplePath = (pattern: string): string =>
  (pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}~`).replaceAll('*', '');

const shown = (text: string): string => text.slice(0, MAX_SHOWN).toWellFormed();
