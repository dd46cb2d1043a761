/** Decides when the next check of a brand may run. The state is in the database, so that several servers share it. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { errors, type Refusal } from '../../contract/errors.js';
import { FACT_CHECK_RUN } from '../../contract/limits.js';
import { utcDay } from '../days.js';
import { refuse } from '../errors.js';
import { claimFactCheckSlot, type FactCheckSlot, factCheckSlotOf } from '../queries/fact-check-slots.js';

const PAUSE_MS = FACT_CHECK_RUN.pauseSeconds * 1000;

/** The refusal if no run may start now; null: one may. A running check counts like one that has just ended. */
export function slotRefusal(slot: FactCheckSlot | undefined, now: Date): Refusal | null {
  if (!slot) return null;
  const runs = slot.endedAt === null && slot.leaseUntil > now;
  const last = runs ? now : new Date(Math.max(slot.startedAt.getTime(), slot.endedAt?.getTime() ?? 0));
  const wait = last.getTime() + PAUSE_MS - now.getTime();
  if (wait > 0) return errors.factCheckJustRan(Math.ceil(wait / 1000));
  // A run without an end was lost with its server and got no reply, so it does not count.
  const spent = slot.spent - (slot.endedAt === null ? 1 : 0);
  const usedUp = slot.day === utcDay(now) && spent >= FACT_CHECK_RUN.perDay;
  return usedUp ? errors.factCheckCap(FACT_CHECK_RUN.perDay) : null;
}

/** @throws RefusedError if no run may start now. Does not take the slot. */
export async function requireFreeSlot(db: Knex, brandKey: number, now: Date): Promise<void> {
  const [slot] = await factCheckSlotOf(db, { brandKey });
  const refusal = slotRefusal(slot, now);
  if (refusal) throw refuse(refusal);
}

/**
 * Takes the slot and one of the day's runs. Returns the id of the holder, which is needed to end the run.
 * @param leaseMs After this time a run that has not ended counts as lost, and another may start.
 * @throws RefusedError if another run was faster.
 */
export async function claimSlot(db: Knex, brandKey: number, now: Date, leaseMs: number): Promise<string> {
  const holder = randomUUID();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const rested = new Date(now.getTime() - PAUSE_MS);
  const claimed = await claimFactCheckSlot(db, {
    brandKey,
    holder,
    now,
    today: utcDay(now),
    leaseUntil,
    rested,
  });
  if (claimed.length > 0) return holder;
  await requireFreeSlot(db, brandKey, now);
  throw refuse(errors.factCheckJustRan(FACT_CHECK_RUN.pauseSeconds));
}
