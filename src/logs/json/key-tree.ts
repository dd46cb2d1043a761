/** A table of keys as a tree. It allows reading a record in one pass over the record's keys. */
import { type LogField, type LogKeys, logKeys } from './keys.js';

export interface KeyNode {
  /** Index of the key's field in logFields, -1 for a key that only leads to deeper keys. */
  field: number;
  /** Index in the priority order of the field, 0 is the highest. */
  rank: number;
  readonly children: Map<string, KeyNode>;
  /** Whether the key holds a map of headers. Then the keys of the children are stored in lower case. */
  readonly caseless: boolean;
}

const node = (caseless: boolean): KeyNode => ({ field: -1, rank: 0, children: new Map(), caseless });

/** A table and its tree. A dotted key is matched nested and, as some collectors write it, flat. */
export interface KeyTable {
  readonly keys: LogKeys;
  readonly tree: KeyNode;
}

export const logFields = Object.keys(logKeys) as LogField[];

/** The table of these keys. */
export function keyTable(keys: LogKeys): KeyTable {
  const tree = node(false);
  logFields.forEach((name, field) => {
    keys[name].forEach((key, rank) => {
      insert(tree, [key], field, rank);
      if (key.includes('.')) insert(tree, key.split('.'), field, rank);
    });
  });
  return { keys, tree };
}

function insert(tree: KeyNode, path: readonly string[], field: number, rank: number): void {
  let place = tree;
  path.forEach((step) => {
    const name = place.caseless ? step.toLowerCase() : step;
    const child = place.children.get(name) ?? node(step === 'headers');
    place.children.set(name, child);
    // A key that is the name of a header (`User-Agent`, `cs(User-Agent)`) may also be in lower case.
    if (step.includes('-')) place.children.set(name.toLowerCase(), child);
    place = child;
  });
  place.field = field;
  place.rank = rank;
}

/** The table for sources that have no table of their own. */
export const generalTable = keyTable(logKeys);

/** The node of a key of `parent`, or undefined. */
export function childOf(parent: KeyNode, key: string): KeyNode | undefined {
  return parent.children.get(parent.caseless ? key.toLowerCase() : key);
}
