/** Finds the agent in a User-Agent field. */

import { type Agent, agentOf, decodeUserAgent, isMissingUserAgent } from './agent.js';
import { furtherOperators } from './further-operators.js';
import { majorOperators } from './major-operators.js';
import { smallerOperators } from './smaller-operators.js';

// All known AI agents. To add an agent, add one entry to one of the three lists.

export const agents: readonly Agent[] = [...majorOperators, ...furtherOperators, ...smallerOperators].map(
  agentOf,
);

const byKey: ReadonlyMap<string, Agent> = new Map(agents.map((agent) => [agent.key, agent]));

/** The agent with this key; undefined: it is not in the registry, or no longer. */
export function findAgent(key: string): Agent | undefined {
  return byKey.get(key);
}

interface Token {
  readonly text: string;
  readonly folded: string;
  readonly agent: Agent;
  readonly wordStart: boolean;
  readonly wordEnd: boolean;
}

/** Converts ASCII to lower case. A conversion of all Unicode changes lengths and turns a Kelvin sign into a k. */
const fold = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 45 ||
  code === 95;

function tokensOf(agent: Agent): Token[] {
  if (agent.token === null) return [];
  return [agent.token, ...agent.aliases].map((text) => ({
    text,
    folded: text.toLowerCase(),
    agent,
    wordStart: isWord(text.charCodeAt(0)),
    wordEnd: isWord(text.charCodeAt(text.length - 1)),
  }));
}

/** Tokens by their first two folded characters, the longest first. */
const byPrefix: (Token[] | undefined)[] = new Array(128 * 128).fill(undefined);
for (const token of agents.flatMap(tokensOf).sort((a, b) => b.text.length - a.text.length)) {
  const slot = token.folded.charCodeAt(0) * 128 + token.folded.charCodeAt(1);
  byPrefix[slot] = [...(byPrefix[slot] ?? []), token];
}

function standsAt(token: Token, text: string, at: number): boolean {
  const end = at + token.text.length;
  if (end > text.length) return false;
  if (token.wordStart && at > 0 && isWord(text.charCodeAt(at - 1))) return false;
  if (token.wordEnd && end < text.length && isWord(text.charCodeAt(end))) return false;
  if (token.agent.caseSensitive) return text.startsWith(token.text, at);
  for (let i = 2; i < token.folded.length; i++) {
    if (fold(text.charCodeAt(at + i)) !== token.folded.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * Returns the agent that a User-Agent field claims to be, or null. Tokens match case-insensitively unless the registry
 * says `caseSensitive`, and at word boundaries (`[A-Za-z0-9_-]`) on each side where the token ends in a word character.
 * The earliest position wins, then the longest token.
 */
export function recogniseAgent(userAgent: string): Agent | null {
  if (isMissingUserAgent(userAgent)) return null;
  const text = decodeUserAgent(userAgent);
  let before = fold(text.charCodeAt(0));
  for (let i = 1; i < text.length; i++) {
    const code = fold(text.charCodeAt(i));
    const candidates = before < 128 && code < 128 ? byPrefix[before * 128 + code] : undefined;
    before = code;
    const token = candidates?.find((candidate) => standsAt(candidate, text, i - 1));
    if (token !== undefined) return token.agent;
  }
  return null;
}

interface Recognised {
  readonly agent: Agent | null;
  /** False for an empty field and the dash. */
  readonly present: boolean;
}

const MOST = 4096;
/** Longer fields are not cached, so that the cache holds at most MOST times this. */
const LONGEST = 1024;

/**
 * Caches the agents of user agents: a log repeats few user agents many times, so each is decoded and matched once. Without it
 * a log takes 1.5 times as long. It is emptied when it is full; the frequent entries return immediately.
 */
export class AgentMemo {
  readonly #held = new Map<string, Recognised>();

  /**
   * @param field The field as it stands in the log.
   * @param textOf Returns its text; called if the field is not cached.
   */
  lookup(field: string, textOf = (): string => field): Recognised {
    const held = this.#held.get(field);
    if (held !== undefined) return held;
    const text = textOf();
    const recognised = { agent: recogniseAgent(text), present: !isMissingUserAgent(text) };
    if (field.length > LONGEST) return recognised;
    if (this.#held.size >= MOST) this.#held.clear();
    this.#held.set(field, recognised);
    return recognised;
  }
}
