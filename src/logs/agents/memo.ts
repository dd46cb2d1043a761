/** Caches the agents of user agents: a log repeats few user agents many times, so each is decoded and matched once. */
import { unescapeField } from '../escapes.js';
import type { Agent } from './agent.js';
import { recogniseAgent } from './match.js';
import { isMissingUserAgent } from './user-agent.js';

export interface Recognised {
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
