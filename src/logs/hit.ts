/** Converts entries to hits. */
import type { Agent } from './agents/agent.js';
import { contentTuple, type Entry } from './entry.js';

/**
 * The identity of a hit, for the de-duplication key. A record with a request id is identified by the id.
 * Any other record is identified by its content, `tuple`, and by `ordinal`: how many earlier records of the body have the
 * same content.
 */
export type Identity =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'tuple'; readonly tuple: string; readonly ordinal: number };

export interface Hit {
  /** Key of the agent in the registry. */
  readonly agent: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** HTTP status, null when the record has no status. */
  readonly status: number | null;
  readonly identity: Identity;
}

/** Version of the input of identityInput, so that keys made by different rules never collide. */
const VERSION = 1;
const SEPARATOR = '\x1f';

/**
 * The text from which the hit's de-duplication key is computed by a keyed hash. With a request id it contains the path,
 * because ids may not be unique across the zones and hosts of one brand.
 */
export function identityInput(hit: Pick<Hit, 'identity' | 'path'>): string {
  const { identity } = hit;
  return identity.kind === 'id'
    ? [VERSION, 'id', identity.id, hit.path].join(SEPARATOR)
    : [VERSION, 'tuple', identity.ordinal, identity.tuple].join(SEPARATOR);
}

/** Longest stored path, in UTF-16 units. */
export const PATH_LIMIT = 2048;

const origin = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/**
 * The canonical path of a request target: without scheme, host, query and fragment; `/` when nothing is left;
 * percent-encoding, case and trailing slash kept, no dot segments resolved, at most PATH_LIMIT long. Null when the
 * target has no path (`*`, the authority of a CONNECT, an empty one).
 */
export function canonicalPath(target: string): string | null {
  const first = target.charCodeAt(0);
  let start = 0;
  if (first !== 47 && first !== 63 && first !== 35) {
    start = origin.exec(target)?.[0].length ?? -1;
    if (start === -1) return null;
  }
  const query = target.indexOf('?', start);
  const fragment = target.indexOf('#', start);
  let end = query === -1 ? target.length : query;
  if (fragment !== -1 && fragment < end) end = fragment;
  return end === start ? '/' : storable(target.slice(start, Math.min(end, start + PATH_LIMIT)));
}

/** Removes what a database refuses: U+0000, and half a surrogate pair, which the cut at the limit may leave. */
function storable(path: string): string {
  const whole = path.includes('\0') ? path.replaceAll('\0', '\ufffd') : path;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
}

/** Numbers equal texts in order of arrival, without keeping the texts. */

const FIRST_SLOTS = 64;

/**
 * A 64-bit hash identifies a text, in a table with open addressing: 12 bytes per slot, at most three quarters occupied.
 * In one of forty million bodies of a million texts, two texts collide and count as equal.
 */
export class Ordinals {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  /** The number of times that the text of each slot occurred; 0: the slot is free. */
  #times = new Uint32Array(FIRST_SLOTS);
  #taken = 0;

  /** How many equal texts occurred before this one. */
  next(text: string): number {
    if (this.#taken * 4 >= this.#times.length * 3) this.#grow();
    const [high, low] = hash64(text);
    const slot = this.#slotOf(high, low);
    if (this.#times[slot] === 0) this.#put(slot, high, low, 0);
    const before = this.#times[slot] as number;
    this.#times[slot] = before + 1;
    return before;
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#times.length - 1;
    let slot = low & mask;
    while (this.#times[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #put(slot: number, high: number, low: number, times: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#times[slot] = times;
    this.#taken++;
  }

  #grow(): void {
    const [high, low, times] = [this.#high, this.#low, this.#times];
    const slots = times.length * 2;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#times = new Uint32Array(slots);
    this.#taken = 0;
    for (let i = 0; i < times.length; i++) {
      if (times[i] === 0) continue;
      const [h, l] = [high[i] as number, low[i] as number];
      this.#put(this.#slotOf(h, l), h, l, times[i] as number);
    }
  }
}

/** Two 32-bit lanes that multiply and mix each character, and one another at the end. */
function hash64(text: string): [high: number, low: number] {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
    a ^= b >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a >>> 0, b >>> 0];
}

/** Makes the hits of one body, and numbers equal hits without an id. */
export class Hits {
  readonly #ordinals = new Ordinals();

  /** The hit for a request of `agent`; null: the request has no path. */
  hitOf(entry: Entry, agent: Agent): Hit | null {
    const path = canonicalPath(entry.target);
    if (path === null) return null;
    const { time, status, id } = entry;
    if (id !== '') return { agent: agent.key, path, time, status, identity: { kind: 'id', id } };
    const tuple = contentTuple(entry);
    const ordinal = this.#ordinals.next(tuple);
    return { agent: agent.key, path, time, status, identity: { kind: 'tuple', tuple, ordinal } };
  }
}
