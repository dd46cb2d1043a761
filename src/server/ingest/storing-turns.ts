/** Limits how many bodies are parsed and stored concurrently. */
import type { Knex } from 'knex';
import { errors } from '../../contract/errors.js';
import { createFairQueue, type FairQueue, MAX_WAIT_MS } from '../limits/fair-queue.js';

/** More would not be faster, because one process parses them all, and each uses up to about 30 MB while it is parsed. */
const MAX_AT_ONCE = 4;

/** How many connections of a pool bodies use: at most half, so that reads get one while all writers wait for locks. */
export function storingConnections(db: Knex): number {
  const { max: connections }: { max: number } = db.client.pool;
  return Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(connections / 2)));
}

/** A key stores all but one of them at once, if there are several. The intake limits how many wait. */
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
