/** Finds the agent in a User-Agent field. */

import { type Agent, type AgentEntry, agentOf, decodeUserAgent, isMissingUserAgent } from './agent.js';
import entries from './agents.json' with { type: 'json' };

/** All known AI agents. */
export const agents: readonly Agent[] = (entries as readonly AgentEntry[]).map(agentOf);

const byKey: ReadonlyMap<string, Agent> = new Map(agents.map((agent) => [agent.key, agent]));

/** The agent with this key; undefined: it is not in the registry, or no longer. */
export function findAgent(key: string): Agent | undefined {
  return byKey.get(key);
}

/** Every token with its agent, the longest first. */
const tokens = agents
  .flatMap((agent) =>
    agent.token === null ? [] : [agent.token, ...agent.aliases].map((text) => ({ text, agent })),
  )
  .sort((a, b) => b.text.length - a.text.length);

/** A group for each token, in their order. */
const anyToken = new RegExp(tokens.map(({ text, agent }) => `(${patternOf(text, agent)})`).join('|'));

function patternOf(token: string, { caseSensitive }: Agent): string {
  const text = token
    .replace(/\W/g, '\\$&')
    .replace(/[a-z]/gi, (letter) =>
      caseSensitive ? letter : `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
    );
  return (/^[\w-]/.test(token) ? '(?<![\\w-])' : '') + text + (/[\w-]$/.test(token) ? '(?![\\w-])' : '');
}

/**
 * Returns the agent that a User-Agent field claims to be, or null. Tokens match case-insensitively unless the registry
 * says `caseSensitive`, and at word boundaries (`[A-Za-z0-9_-]`) on each side where the token ends in a word character.
 * The earliest position wins, then the longest token.
 */
export function recogniseAgent(userAgent: string): Agent | null {
  if (isMissingUserAgent(userAgent)) return null;
  const [found, ...groups] = anyToken.exec(decodeUserAgent(userAgent)) ?? [];
  return found === undefined ? null : tokens[groups.indexOf(found)]!.agent;
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
