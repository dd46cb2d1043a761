/** Caches robots checks for an hour, failures too. Concurrent reads share one fetch. */
import { LRUCache } from 'lru-cache';
import { READ_CACHE_SECONDS } from '../../contract/limits.js';
import type { Clock } from '../clock.js';
import { fetchRobots, type RobotsFetchOptions, type RobotsState } from './fetch.js';

export interface RobotsCheck {
  readonly state: RobotsState;
  /** When the check began, in ms. It distinguishes two checks of a domain. */
  readonly checkedAt: number;
}

export interface RobotsChecks {
  /** The check of a domain that is at most an hour old. */
  of(domain: string): Promise<RobotsCheck>;
}

const KEEP_MS = READ_CACHE_SECONDS * 1000;

export function createRobotsChecks(
  clock: Clock,
  options: RobotsFetchOptions,
  fetch: typeof fetchRobots = fetchRobots,
): RobotsChecks {
  const kept = new LRUCache<string, { checkedAt: number; check: Promise<RobotsCheck> }>({ max: 1000 });
  return {
    of(domain) {
      const now = clock().getTime();
      const former = kept.get(domain);
      if (former && Math.abs(now - former.checkedAt) < KEEP_MS) return former.check;
      const check = fetch(domain, options).then((state) => ({ state, checkedAt: now }));
      kept.set(domain, { checkedAt: now, check });
      return check;
    },
  };
}
