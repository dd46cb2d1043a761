/** Delivers what the outbox has: any number of servers may do it, and each message is sent by one of them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DELIVERY, type DestinationKind } from '../../../contract/events.js';
import { type Clock, systemClock } from '../../base/clock.js';
import { utcDay } from '../../base/days.js';
import { isDatabaseUnavailable } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { logFailure, type Repeated, repeat } from '../../base/repeat.js';
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
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
  readonly everyMs?: number;
  readonly report?: DeliveryReport | undefined;
}

/** The subject of log lines. */
const NAME = 'deliveries';
/** How often a server looks for messages that are due. */
const LOOK_EVERY_MS = 2000;
/** Messages that a server sends at once, each to another destination. No lane waits for another one. */
const LANES = 4;
/** When the others are busy, this lane lets destinations that fail have their turn: their retries wait for no backlog. */
const ANY_TURN_LANE = LANES - 1;
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
): Repeated {
  const time = clock ?? systemClock;
  const sender = createSender(settings);
  const key = sealKey(db);
  const stopping = new AbortController();
  const aborting = new AbortController();
  const now = () => clock?.() ?? null;
  let droppedOn = '';

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
      message = messageOf({ ...claimed, id: eventId }, settings.publicUrl, claimed.wanted);
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

  /** What each lane sends; undefined: it is free. */
  const lanes: (Promise<void> | undefined)[] = Array.from({ length: LANES }, () => undefined);

  /** Sends what is due in a free lane. False: nothing is due, or no lane is free. */
  async function begin(): Promise<boolean> {
    const free = lanes.indexOf(undefined);
    if (free === -1 || stopping.signal.aborted) return false;
    const claim = randomUUID();
    const delivery = await claimDelivery(db, { now: now(), claim, anyTurn: free === ANY_TURN_LANE });
    if (!delivery) return false;
    lanes[free] = attempt(delivery)
      .then((outcome) => note(delivery, claim, outcome))
      .catch(failed)
      .finally(() => {
        lanes[free] = undefined;
      });
    return true;
  }

  /** What is claimed is due again after a while. */
  const failed = (error: unknown): void => logFailure(log, NAME, error);

  /** Begins what is due, and returns when nothing else can begin. One statement for a server that has nothing to send. */
  async function look(): Promise<void> {
    try {
      while (await begin());
    } catch (error) {
      failed(error);
    }
  }

  async function tidy(): Promise<void> {
    if (report) {
      const [count] = await pendingDeliveries(db, {});
      report.pending(count!.pending);
    }
    await dropOncePerDay();
  }

  async function dropOncePerDay(): Promise<void> {
    const today = utcDay(time());
    if (droppedOn === today) return;
    await dropOldEvents(db, { now: now() });
    droppedOn = today;
  }

  async function deliver(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      const woken = new AbortController();
      const signal = AbortSignal.any([stopping.signal, woken.signal]);
      const busy = lanes.filter((lane) => lane !== undefined);
      // A lane that is free again may send the next message of its destination.
      await Promise.race([sleep(everyMs, undefined, { signal, ref: false }).catch(() => {}), ...busy]);
      woken.abort();
    }
    await Promise.all(lanes);
  }

  const delivering = deliver();
  const tidying = repeat({ everyMs, log, name: NAME }, tidy);
  return {
    /** Claims nothing more, and waits a little for messages that are being sent. */
    stop: async () => {
      stopping.abort();
      const cut = setTimeout(() => aborting.abort(), STOP_WITHIN_MS);
      await Promise.all([delivering, tidying.stop()]);
      clearTimeout(cut);
      sender.close();
    },
  };
}
