/** A kind of record. The keys of the record identify its source. */
import { type Fields, isObject, type JsonObject } from './fields.js';
import { type KeyTable, keyTable } from './key-tree.js';
import type { LogKeys } from './keys.js';

export interface Shape {
  readonly name: string;
  readonly fits: (record: JsonObject) => boolean;
  /** Whether the row is not a visit, or repeats a visit. */
  readonly skips: (record: JsonObject, fields: Fields) => boolean;
  /** The only keys of the general table that can contain the path and the user agent. */
  readonly pathKeys?: readonly string[];
  readonly agentKeys?: readonly string[];
  /** The table to use instead of the general one. */
  readonly table?: KeyTable;
  /** Converts the record to a form that the key table can read. */
  readonly view?: (record: JsonObject) => JsonObject;
  /** Whether `id` identifies the request. In other records it may identify a server. */
  readonly statesId?: boolean;
}

const noKeys: LogKeys = {
  id: [],
  path: [],
  query: [],
  userAgent: [],
  time: [],
  status: [],
  host: [],
  ip: [],
  method: [],
  bytes: [],
  referer: [],
};

/** Makes the key table of a shape. Fields may be absent. */
export const ownTable = (keys: Partial<LogKeys>): KeyTable => keyTable({ ...noKeys, ...keys });

/** The value of `record[key]` if it is an object, else an empty object. */
export function objectAt(record: JsonObject, key: string): JsonObject {
  const value = record[key];
  return isObject(value) ? value : {};
}
