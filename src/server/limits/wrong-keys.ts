/**
 * Slows those who guess keys. An address may send as many wrong keys as a key has requests; then a key is looked up for it only
 * if it worked from there before, or is in use.
 */
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { errors } from '../../contract/errors.js';
import type { Clock } from '../clock.js';
import { refuse } from '../errors.js';
import type { BucketState } from '../queries/rate-buckets.js';
import { full, refilled, retryAfter } from './token-bucket.js';

/** A request with a key. */
export interface Attempt {
  /**
   * Called before a key is looked up that nobody uses.
   * @throws 429 if the address has sent too many wrong keys.
   */
  readonly begin: (key: string) => void;
  /** Notes whether the key exists. */
  end(exists: boolean): void;
}

export interface WrongKeys {
  /** @param addressOf Returns the address of the client. */
  attempt(addressOf: () => string): Attempt;
}

const MOST_ADDRESSES = 10_000;
const MOST_KEYS = 10_000;

export function createWrongKeys(clock: Clock): WrongKeys {
  const buckets = new LRUCache<string, BucketState>({ max: MOST_ADDRESSES });
  /** Keys that worked, with the address. */
  const worked = new LRUCache<string, true>({ max: MOST_KEYS });

  function bucketOf(network: string): BucketState {
    const now = clock().getTime() / 1000;
    return refilled(buckets.get(network) ?? full(now), now);
  }

  return {
    attempt(addressOf) {
      let begun: { readonly network: string; readonly name: string } | undefined;
      return {
        begin(key) {
          const network = networkOf(addressOf());
          const name = `${network} ${key}`;
          if (!worked.has(name)) {
            const bucket = bucketOf(network);
            if (bucket.tokens < 1) throw refuse(errors.tooManyWrongKeys(retryAfter(bucket)));
          }
          begun = { network, name };
        },
        end(exists) {
          if (!begun) return;
          const { network, name } = begun;
          if (exists) worked.set(name, true);
          else {
            worked.delete(name);
            const bucket = bucketOf(network);
            buckets.set(network, { ...bucket, tokens: bucket.tokens - 1 });
          }
        },
      };
    },
  };
}

/** What one client has at its disposal: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const gap = tail === undefined ? 0 : 8 - first!.length - last!.length;
  const groups = [...first!, ...Array<string>(Math.max(0, gap)).fill('0'), ...last!];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
