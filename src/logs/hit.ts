/** A hit: a request of a known agent. */

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
  /** Canonical path. */
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
