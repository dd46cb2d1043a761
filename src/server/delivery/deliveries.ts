/** Delivers what the outbox has: any number of servers may do it, and each message is sent by one of them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DELIVERY, type DestinationKind } from '../../contract/events.js';
import { type Clock, systemClock } from '../clock.js';
import { utcDay } from '../days.js';
import { isDatabaseUnavailable } from '../errors.js';
import type { Logger } from '../log.js';
import { sealKey, unseal } from './destinations.js';
import { type Message, messageOf } from './message.js';
import {
  type ClaimedDelivery,
  claimDelivery,
  dropOldEvents,
  noteDelivered,
  noteFailed,
  pendingDeliveries,
  releaseClaim,
} from './outbox.js';
import { createSender, type Outcome, type SendSettings } from './send.js';

export interface DeliverySettings extends SendSettings {
  /** Where people reach the server; null: messages have no links. */
  readonly publicUrl: string | null;
}

/** Called when an attempt ends; `retried` will be tried again. */
export interface DeliveryReport {
  attempted(kind: DestinationKind, result: 'delivered' | 'retried' | 'failed'): void;
  /** How many messages wait. */
  pending(messages: number): void;
}

export interface DeliveryOverrides {
  /** If omitted, the clock of the database decides what is due. */
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly everyMs?: number;
  readonly report?: DeliveryReport | undefined;
}

export interface Deliveries {
  /** Claims nothing more, and waits a little for messages that are being sent. */
  stop(): Promise<void>;
}

/** How often a server looks for messages that are due. */
const LOOK_EVERY_MS = 2000;
/** Messages that a server sends at once, each to another destination. */
const AT_ONCE = 4;
/** A stopping server aborts attempts that take longer. They are repeated by the next one. */
const STOP_WITHIN_MS = 3000;
/** The part of a pause by which it may be longer, so that what failed together is not retried together. */
const JITTER = 0.2;

/**
 * The seconds until the next attempt; null: there is none.
 * @param attempts So far.
 */
export function pauseAfter(attempts: number, retryAfterSeconds: number, random: number): number | null {
  const pause = DELIVERY.retryAfterSeconds[attempts - 1];
  return pause === undefined ? null : Math.max(pause, retryAfterSeconds) * (1 + JITTER * random);
}

export function startDeliveries(
  db: Knex,
  log: Logger,
  settings: DeliverySettings,
  { clock, random = Math.random, everyMs = LOOK_EVERY_MS, report }: DeliveryOverrides = {},
): Deliveries {
  const time = clock ?? systemClock;
  const sender = createSender(settings);
  const key = sealKey(db);
  const stopping = new AbortController();
  const aborting = new AbortController();
  const now = () => clock?.() ?? null;
  let droppedOn = '';

  interface Claimed {
    readonly delivery: ClaimedDelivery;
    readonly claim: string;
  }

  /** Undefined: nothing is due, or the server stops. */
  async function next(): Promise<Claimed | undefined> {
    if (stopping.signal.aborted) return undefined;
    const claim = randomUUID();
    const delivery = await claimDelivery(db, { now: now(), claim });
    return delivery && { delivery, claim };
  }

  async function attempt(claimed: ClaimedDelivery): Promise<Outcome> {
    const { eventId, destinationId, kind, sealed } = claimed;
    let target: ReturnType<typeof unseal>;
    try {
      target = unseal(await key(), destinationId, sealed);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return { state: 'failed', reason: 'the stored address cannot be opened', retryAfterSeconds: 0 };
    }
    let message: Message;
    try {
      message = messageOf({ ...claimed, id: eventId }, settings.publicUrl);
    } catch {
      // It must not be tried for ever, before all others of its destination.
      return { state: 'failed', reason: 'the stored event cannot be read', retryAfterSeconds: 0 };
    }
    return sender.send({ message, kind, target, now: time(), signal: aborting.signal });
  }

  async function note(
    { eventId, destinationId, attempts, kind, type }: ClaimedDelivery,
    claim: string,
    outcome: Outcome,
  ): Promise<void> {
    const claimed = { eventId, destinationId, claim };
    if (outcome.state === 'aborted') return void (await releaseClaim(db, claimed));
    if (outcome.state === 'delivered') {
      await noteDelivered(db, { ...claimed, now: now() });
      report?.attempted(kind, 'delivered');
      return log.debug({ event: eventId, type, destination: destinationId, kind }, 'event delivered');
    }
    const { reason: failure } = outcome;
    const waitSeconds =
      outcome.state === 'gone' ? null : pauseAfter(attempts, outcome.retryAfterSeconds, random());
    const pause = outcome.state === 'gone' ? failure : null;
    await noteFailed(db, { ...claimed, now: now(), failure, waitSeconds, pause });
    report?.attempted(kind, waitSeconds === null ? 'failed' : 'retried');
    const fields = { event: eventId, type, destination: destinationId, kind, attempts, reason: failure };
    if (waitSeconds === null) log.warn(fields, 'event not delivered, and not tried again');
    else log.info({ ...fields, retryInSeconds: Math.round(waitSeconds) }, 'event not delivered');
  }

  /** Delivers one after the other, beginning with one that is claimed, until nothing is due. */
  async function lane(first?: Claimed): Promise<void> {
    for (let one = first ?? (await next()); one !== undefined; one = await next())
      await note(one.delivery, one.claim, await attempt(one.delivery));
  }

  /** @throws The first failure, once all lanes have ended. */
  async function everyLane(first: Claimed): Promise<void> {
    const others = Array.from({ length: AT_ONCE - 1 }, () => lane());
    const ends = await Promise.allSettled([lane(first), ...others]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Delivers what is due. A failure of the database is logged; what is claimed is due again after a while. */
  async function look(): Promise<void> {
    try {
      // One statement for a server that has nothing to do.
      const first = await next();
      if (first) await everyLane(first);
      if (report) {
        const [count] = await pendingDeliveries(db, {});
        report.pending(count!.pending);
      }
      await dropOncePerDay();
    } catch (error) {
      if (isDatabaseUnavailable(error)) log.debug({ err: error }, 'deliveries wait for the database');
      else log.error({ err: error }, 'deliveries failed');
    }
  }

  async function dropOncePerDay(): Promise<void> {
    const today = utcDay(time());
    if (droppedOn === today) return;
    await dropOldEvents(db, { now: now() });
    droppedOn = today;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      const cut = setTimeout(() => aborting.abort(), STOP_WITHIN_MS);
      await running;
      clearTimeout(cut);
      sender.close();
    },
  };
}
