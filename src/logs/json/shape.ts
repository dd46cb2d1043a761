/** A kind of record whose source is known by its keys. */
import { type Fields, isObject, type JsonObject } from './fields.js';
import { type KeyTable, keyTable } from './key-tree.js';
import type { LogKeys } from './keys.js';

export interface Shape {
  readonly name: string;
  readonly fits: (record: JsonObject) => boolean;
  /** True for a row that is not a visit, or repeats a visit. */
  readonly skips: (record: JsonObject, fields: Fields) => boolean;
  /** The only keys of the general table that hold the path and the user agent. */
  readonly pathKeys?: readonly string[];
  readonly agentKeys?: readonly string[];
  /** A table of its own in place of the general one. */
  readonly table?: KeyTable;
  /** The record in a form that keys can read. */
  readonly view?: (record: JsonObject) => JsonObject;
  /** Whether `id` identifies the request. In other records it may name a server. */
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

/** The key table of a shape, which may leave fields out. */
export const ownTable = (keys: Partial<LogKeys>): KeyTable => keyTable({ ...noKeys, ...keys });

/** The value of `record[key]` if it is an object, else an empty object. */
export function objectAt(record: JsonObject, key: string): JsonObject {
  const value = record[key];
  return isObject(value) ? value : {};
}
