/** When a brand’s next check may run: in the database, so that several servers share it. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { errors, type Refusal } from '../../contract/errors.js';
import { FACT_CHECK_RUN } from '../../contract/limits.js';
import { utcDay } from '../days.js';
import { refuse } from '../errors.js';
import { claimFactCheckSlot, type FactCheckSlot, factCheckSlotOf } from '../queries/fact-check-slots.js';

const PAUSE_MS = FACT_CHECK_RUN.pauseSeconds * 1000;

/** Why no run may begin now; null: one may. A run that goes on refuses like one that just ended. */
export function slotRefusal(slot: FactCheckSlot | undefined, now: Date): Refusal | null {
  if (!slot) return null;
  const runs = slot.endedAt === null && slot.leaseUntil > now;
  const last = runs ? now : new Date(Math.max(slot.startedAt.getTime(), slot.endedAt?.getTime() ?? 0));
  const wait = last.getTime() + PAUSE_MS - now.getTime();
  if (wait > 0) return errors.factCheckJustRan(Math.ceil(wait / 1000));
  // A run that is lost with its server never came back from the model: it did not spend.
  const spent = slot.spent - (slot.endedAt === null ? 1 : 0);
  const usedUp = slot.day === utcDay(now) && spent >= FACT_CHECK_RUN.perDay;
  return usedUp ? errors.factCheckCap(FACT_CHECK_RUN.perDay) : null;
}

/** @throws The refusal, where no run may begin now. Takes nothing. */
export async function requireFreeSlot(db: Knex, brandKey: number, now: Date): Promise<void> {
  const [slot] = await factCheckSlotOf(db, { brandKey });
  const refusal = slotRefusal(slot, now);
  if (refusal) throw refuse(refusal);
}

/**
 * Takes the slot and one of the day’s runs; returns who holds it, by which it is ended.
 * @param leaseMs A run that has not ended after this long is lost with its server: another may begin.
 * @throws The refusal, where somebody else was quicker.
 */
export async function claimSlot(db: Knex, brandKey: number, now: Date, leaseMs: number): Promise<string> {
  const holder = randomUUID();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const claimed = await claimFactCheckSlot(db, { brandKey, holder, now, today: utcDay(now), leaseUntil });
  if (claimed.length > 0) return holder;
  await requireFreeSlot(db, brandKey, now);
  throw refuse(errors.factCheckJustRan(FACT_CHECK_RUN.pauseSeconds));
}
