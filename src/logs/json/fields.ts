/** The fields of one JSON record, independent of the names of its keys. */
import logKeys from './keys.json' with { type: 'json' };

export type LogField = keyof typeof logKeys;

/**
 * The keys of each field in JSON access logs, in priority order. Dots mean nesting. The first value of an array or of a
 * header counts. Header names are case-insensitive. Those of keys.json are for sources that have no table of their own (see
 * shapes). They also determine the identity of a record: after a key is added before or between those of a field, records that
 * were sent before count again.
 */
export type LogKeys = Readonly<Record<LogField, readonly string[]>>;

// A table of keys as a tree. It allows reading a record in one pass over the record's keys.

interface KeyNode {
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

export const generalTable = keyTable(logKeys);

function childOf(parent: KeyNode, key: string): KeyNode | undefined {
  return parent.children.get(parent.caseless ? key.toLowerCase() : key);
}

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Scalar = string | number;

const at = Object.fromEntries(logFields.map((field, place) => [field, place])) as Record<LogField, number>;

const noValues: readonly (Scalar | undefined)[] = logFields.map(() => undefined);
const noRanks: readonly number[] = logFields.map(() => Number.POSITIVE_INFINITY);

/** For each field, the value of the highest-priority key that has a value, and the rank of that key. */
export class Fields {
  readonly #values = noValues.slice();
  readonly #ranks = noRanks.slice();
  readonly #table: KeyTable;
  /** Rank of the best key that the record has, even with an empty value. */
  pathRank = Number.POSITIVE_INFINITY;
  agentRank = Number.POSITIVE_INFINITY;

  constructor(record: JsonObject, table: KeyTable) {
    this.#table = table;
    this.#collect(record, table.tree);
  }

  /** The value as text; empty if the record has no value. */
  text(field: LogField): string {
    const value = this.#values[at[field]];
    return value === undefined ? '' : String(value);
  }

  value(field: LogField): Scalar | undefined {
    return this.#values[at[field]];
  }

  /** The key that provides the value. */
  key(field: LogField): string | undefined {
    return this.#table.keys[field][this.#ranks[at[field]] as number];
  }

  has(field: LogField): boolean {
    return this.value(field) !== undefined;
  }

  #collect(record: JsonObject, tree: KeyNode): void {
    for (const key in record) {
      const node = childOf(tree, key);
      if (node === undefined) continue;
      const value = record[key];
      if (node.children.size > 0 && isObject(value)) this.#collect(value, node);
      else if (node.field !== -1) this.#offer(node.field, node.rank, Array.isArray(value) ? value[0] : value);
    }
  }

  #offer(field: number, rank: number, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    if (field === at.path) this.pathRank = Math.min(this.pathRank, rank);
    if (field === at.userAgent) this.agentRank = Math.min(this.agentRank, rank);
    if (value === '' || value === '-' || rank >= (this.#ranks[field] as number)) return;
    this.#ranks[field] = rank;
    this.#values[field] = value;
  }
}

/** The value under one key of the table, nested or flat. */
export function valueAt(record: JsonObject, key: string): unknown {
  if (key in record) return record[key];
  return key.split('.').reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), record);
}
