/**
 * Limits the memory of bodies that are being received, and how many are stored concurrently. The memory of a body is
 * reserved before it is read, until it is stored, so that clients together cannot exceed the limits, and no key can exceed its share of them.
 */

import type { Knex } from 'knex';
import { errors } from '../../../contract/errors.js';
import { refuse } from '../../base/errors.js';
import { createFairQueue, type FairQueue, MAX_WAIT_MS, RETRY_AFTER_SECONDS } from '../../base/fair-queue.js';

export interface MemoryLimits {
  /** Concurrent bodies: of all keys, and of one key. */
  readonly bodies: number;
  readonly bodiesPerKey: number;
  /** Bytes on the wire of all bodies: of all keys, and of one key. */
  readonly bytes: number;
  readonly bytesPerKey: number;
}

const MIB = 1024 * 1024;

/** A key may send as many small bodies concurrently as its bucket has tokens, or three of the largest. */
export const MEMORY_LIMITS: MemoryLimits = {
  bodies: 512,
  bodiesPerKey: 128,
  bytes: 64 * MIB,
  bytesPerKey: 32 * MIB,
};

/** The memory of one body. */
export interface Reservation {
  /** Sets its bytes so far. @throws 503 if that exceeds a limit. */
  grow(length: number): void;
  /** Releases its bytes. Must be called exactly once. */
  release(): void;
}

interface MemoryBudget {
  /**
   * Reserves the memory of a body: its whole length, if that is stated.
   * @throws 503 if that exceeds a limit.
   */
  reserve(keyId: string, statedBytes: number): Reservation;
}

interface Held {
  bodies: number;
  bytes: number;
}

/** Its counts are those of this process only. */
export function createMemoryBudget(limits: MemoryLimits): MemoryBudget {
  const all: Held = { bodies: 0, bytes: 0 };
  const byKey = new Map<string, Held>();

  function add(keyId: string, bodies: number, bytes: number): void {
    const own = byKey.get(keyId) ?? { bodies: 0, bytes: 0 };
    const isFull =
      all.bodies + bodies > limits.bodies ||
      own.bodies + bodies > limits.bodiesPerKey ||
      all.bytes + bytes > limits.bytes ||
      own.bytes + bytes > limits.bytesPerKey;
    if (isFull) throw refuse(errors.ingestBusy(RETRY_AFTER_SECONDS));
    byKey.set(keyId, { bodies: own.bodies + bodies, bytes: own.bytes + bytes });
    all.bodies += bodies;
    all.bytes += bytes;
  }

  function remove(keyId: string, bytes: number): void {
    const own = byKey.get(keyId) as Held;
    all.bodies--;
    all.bytes -= bytes;
    if (own.bodies === 1) byKey.delete(keyId);
    else byKey.set(keyId, { bodies: own.bodies - 1, bytes: own.bytes - bytes });
  }

  return {
    reserve(keyId, statedBytes) {
      let held = statedBytes;
      add(keyId, 1, held);
      return {
        grow(length) {
          if (length <= held) return;
          add(keyId, 0, length - held);
          held = length;
        },
        release() {
          remove(keyId, held);
        },
      };
    },
  };
}

/** More would not be faster, because one process parses them all, and each uses up to about 50 MB while it is parsed. */
const MAX_AT_ONCE = 4;

/** How many connections of a pool bodies use: at most half, so that reads get one while all writers wait for locks. */
export function storingConnections(db: Knex): number {
  const { max: connections }: { max: number } = db.client.pool;
  return Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(connections / 2)));
}

/** A key stores all but one of them at once, if there are several. The budget limits how many wait. */
export function storingTurns(db: Knex): FairQueue {
  const total = storingConnections(db);
  return createFairQueue({
    total,
    perKey: Math.max(1, total - 1),
    waiting: Number.POSITIVE_INFINITY,
    waitingPerKey: Number.POSITIVE_INFINITY,
    maxWaitMs: MAX_WAIT_MS,
    busy: errors.ingestBusy,
  });
}
