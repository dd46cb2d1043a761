/** Converts entries to hits. */
import type { Agent } from './agents/agent.js';
import type { Verifier } from './clients/verify.js';
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
  /** Whether the address of its client is one of the agent's operator; null: not known. */
  readonly verified: boolean | null;
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

/**
 * Numbers equal texts in order of arrival. 53 bits of a hash identify a text, because the texts themselves take several times
 * the memory. In one of eighteen thousand bodies of a million texts, two texts collide and count as equal.
 */
export class Ordinals {
  readonly #times = new Map<number, number>();

  /** How many equal texts occurred before this one. */
  next(text: string): number {
    const key = hash53(text);
    const before = this.#times.get(key) ?? 0;
    this.#times.set(key, before + 1);
    return before;
  }
}

/** Two lanes of 32 bits that multiply and mix each character, and one another at the end. */
function hash53(text: string): number {
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
  return (a & 0x1fffff) * 2 ** 32 + (b >>> 0);
}

/** Makes the hits of one body, and numbers equal hits without an id. */
export class Hits {
  readonly #ordinals = new Ordinals();
  readonly #verifier: Verifier | undefined;

  constructor(verifier: Verifier | undefined) {
    this.#verifier = verifier;
  }

  /** The hit for a request of `agent`; null: the request has no path. */
  hitOf(entry: Entry, agent: Agent): Hit | null {
    const path = canonicalPath(entry.target);
    if (path === null) return null;
    const { time, status, id } = entry;
    const verified = this.#verifier?.verify(agent, entry) ?? null;
    const about = { agent: agent.key, path, time, status, verified };
    if (id !== '') return { ...about, identity: { kind: 'id', id } };
    const tuple = contentTuple(entry);
    const ordinal = this.#ordinals.next(tuple);
    return { ...about, identity: { kind: 'tuple', tuple, ordinal } };
  }
}
