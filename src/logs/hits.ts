/** Converts entries to hits. */
import type { Agent } from './agents/agent.js';
import { contentTuple, type Entry } from './entry.js';
import type { Hit } from './hit.js';
import { Ordinals } from './ordinals.js';
import { canonicalPath } from './path.js';

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
