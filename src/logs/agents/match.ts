/** Finds the agent in a User-Agent field. */

import { unescapeField } from '../entry.js';
import { type Agent, type AgentEntry, agentOf, decodeUserAgent, isMissingUserAgent } from './agent.js';
import entries from './agents.json' with { type: 'json' };

/** All known AI agents. */
export const agents: readonly Agent[] = (entries as readonly AgentEntry[]).map(agentOf);

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

// Caches the agents of user agents: a log repeats few user agents many times, so each is decoded and matched once.

interface Recognised {
  readonly agent: Agent | null;
  /** False for an empty field and the dash. */
  readonly present: boolean;
}

interface Held extends Recognised {
  readonly view: DataView;
}

const MOST = 4096;
/** Longer fields are not cached, so that the cache holds at most MOST times this. */
const LONGEST = 1024;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x9e3779b1;

/** A map from bytes to the agent. It is emptied when it is full; the frequent entries return immediately. */
export class AgentMemo {
  readonly #held = new Map<number, Held>();

  /** The agent of the bytes `start` to `end`. `view` is a view of the same memory as `bytes`. */
  lookup(bytes: Buffer, view: DataView, start: number, end: number): Recognised {
    const hash = hashOf(view, start, end);
    const held = this.#held.get(hash);
    if (held !== undefined && holds(held.view, view, start, end)) return held;
    const recognised = recogniseField(unescapeField(bytes, start, end));
    if (end - start <= LONGEST) this.#hold(hash, recognised, new Uint8Array(bytes.subarray(start, end)));
    return recognised;
  }

  #hold(hash: number, { agent, present }: Recognised, copy: Uint8Array): void {
    if (this.#held.size >= MOST) this.#held.clear();
    this.#held.set(hash, { agent, present, view: new DataView(copy.buffer) });
  }
}

function recogniseField(text: string): Recognised {
  return { agent: recogniseAgent(text), present: !isMissingUserAgent(text) };
}

/** Computes two sums in parallel: with a single sum, each multiplication waits for the previous one. */
function hashOf(view: DataView, start: number, end: number): number {
  let even = end - start;
  let odd = 0;
  let i = start;
  for (; i + 8 <= end; i += 8) {
    even = Math.imul(even, PRIME) + view.getInt32(i, true);
    odd = Math.imul(odd, PRIME) + view.getInt32(i + 4, true);
  }
  for (; i < end; i++) even = Math.imul(even, PRIME) + view.getUint8(i);
  const product = Math.imul(even ^ Math.imul(odd, OTHER_PRIME), PRIME);
  return (product ^ (product >>> 15)) & 0x3fffffff;
}

/** Compares in full, because two user agents may have the same hash. */
function holds(held: DataView, view: DataView, start: number, end: number): boolean {
  if (held.byteLength !== end - start) return false;
  let i = start;
  for (; i + 4 <= end; i += 4) if (held.getInt32(i - start, true) !== view.getInt32(i, true)) return false;
  for (; i < end; i++) if (held.getUint8(i - start) !== view.getUint8(i)) return false;
  return true;
}

/** The same map for user agents that are text already. */
export class TextMemo {
  readonly #held = new Map<string, Agent | null>();

  lookup(userAgent: string): Agent | null {
    const held = this.#held.get(userAgent);
    if (held !== undefined) return held;
    const agent = recogniseAgent(userAgent);
    if (userAgent.length > LONGEST) return agent;
    if (this.#held.size >= MOST) this.#held.clear();
    this.#held.set(userAgent, agent);
    return agent;
  }
}
