/**
 * Slows those who guess keys. An address that has sent many unknown keys gets 429 for further ones, and for the operator key if
 * it has not worked from there before: that one may be short, so the answer must not tell whether a guess was right. Keys of
 * workspaces have 256 random bits, which nobody guesses, so they are never refused.
 */
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { errors } from '../../../contract/errors.js';
import type { Access } from '../../accounts/access.js';
import type { Clock } from '../../base/clock.js';
import { refuse } from '../../base/errors.js';
import { type BucketState, full, refilled, retryAfter } from './buckets.js';

export interface WrongKeys {
  /**
   * Counts an unknown key. Each is counted when it is looked up, which is once a second, so that a client that goes on sending
   * the same one is told that it is unknown. While its address is slowed it is told the same as for the operator key.
   * @param addressOf Returns the address of the client.
   * @param access What the key allows; null if it is unknown, undefined if the request has none.
   * @throws 429 if the address has sent too many unknown keys.
   */
  check(addressOf: () => string, access: Access | null | undefined, isLookedUp: boolean): void;
}

const MAX_ADDRESSES = 10_000;
/** The part of a token that an unknown key takes: 960 at once, and 16 a second. */
const TOKENS_PER_KEY = 1 / 8;

export function createWrongKeys(clock: Clock): WrongKeys {
  const buckets = new LRUCache<string, BucketState>({ max: MAX_ADDRESSES });
  /** Where the operator key has worked. */
  const operators = new LRUCache<string, true>({ max: MAX_ADDRESSES });

  return {
    check(addressOf, access, isLookedUp) {
      if (access === undefined || (access && access.kind !== 'operator')) return;
      const network = networkOf(addressOf());
      if (access && operators.has(network)) return;
      const now = clock().getTime() / 1000;
      const bucket = refilled(buckets.get(network) ?? full(now), now);
      if (bucket.tokens < TOKENS_PER_KEY) throw refuse(errors.tooManyWrongKeys(retryAfter(bucket)));
      if (access) operators.set(network, true);
      else if (isLookedUp) buckets.set(network, { ...bucket, tokens: bucket.tokens - TOKENS_PER_KEY });
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
