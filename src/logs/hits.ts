/** From entries to hits. */
import type { Agent } from './agents/agent.js';
import { contentTuple, type Entry } from './entry.js';
import type { Hit } from './hit.js';
import { canonicalPath } from './path.js';

/** Makes the hits of one body; remembers the content of those without an id, to number equal ones. */
export class Hits {
  readonly #seen = new Map<string, number>();

  /** The hit of an entry by `agent`, null when the entry has no path. */
  hitOf(entry: Entry, agent: Agent): Hit | null {
    const path = canonicalPath(entry.target);
    if (path === null) return null;
    const { time, status, id } = entry;
    if (id !== '') return { agent: agent.key, path, time, status, identity: { kind: 'id', id } };
    const tuple = contentTuple(entry);
    const ordinal = this.#seen.get(tuple) ?? 0;
    this.#seen.set(tuple, ordinal + 1);
    return { agent: agent.key, path, time, status, identity: { kind: 'tuple', tuple, ordinal } };
  }
}
