/** Decides when the next check of a brand may run. The state is in the database, so that several servers share it. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { errors, type Refusal } from '../../../contract/errors.js';
import { FACT_CHECK_RUN } from '../../../contract/limits.js';
import { utcDay } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { statement } from '../../base/statement.js';

// The fact-check slot of a brand: its holder, its times, and how many runs of the day have spent.

/** No row: never run. */
interface FactCheckSlot {
  /** When the last run started that sent a request to the model, whether it spent or not. */
  startedAt: Date;
  /** Null: it is running, or its server ended before it did. */
  endedAt: Date | null;
  /** When a run that has not ended counts as lost. */
  leaseUntil: Date;
  day: string;
  /** Runs of that day that spent, the running one included. */
  spent: number;
}

export const factCheckSlotOf = statement<FactCheckSlot, { brandKey: number }>(
  'fact_check_slot_of',
  `select started_at as "startedAt", ended_at as "endedAt", lease_until as "leaseUntil", day, spent
   from fact_check_slots where brand_key = :brandKey`,
);

/** Runs of the day without a lost one, which got no reply of the model and so did not spend. */
const SPENT = 's.spent - case when s.ended_at is null then 1 else 0 end';

/**
 * Takes the slot and one of the day's runs in one statement, so that only one of two concurrent callers gets it. No row:
 * the slot is taken or too fresh, or the day's runs are used up.
 * `rested`: a run that started or ended later than this is too fresh. The database computes no time here, because Citus
 * allows no time arithmetic in the condition of an upsert.
 */
export const claimFactCheckSlot = statement<
  { claimed: true },
  { brandKey: number; holder: string; now: Date; today: string; leaseUntil: Date; rested: Date }
>(
  'claim_fact_check_slot',
  `insert into fact_check_slots as s (brand_key, holder, started_at, ended_at, lease_until, day, spent)
   values (:brandKey, :holder, :now, null, :leaseUntil, :today, 1)
   on conflict (brand_key) do update set holder = excluded.holder, started_at = excluded.started_at, ended_at = null,
     lease_until = excluded.lease_until, day = excluded.day,
     spent = case when s.day = excluded.day then ${SPENT} else 0 end + 1
   where (s.ended_at is not null or s.lease_until <= excluded.started_at)
     and greatest(s.started_at, s.ended_at) <= cast(:rested as timestamptz)
     and (s.day <> excluded.day or ${SPENT} < ${FACT_CHECK_RUN.perDay})
   returning true as claimed`,
);

/** Ends the holder's run. A run that did not spend does not count for the day. */
export const endFactCheckRun = statement<
  never,
  { brandKey: number; holder: string; now: Date; spent: boolean }
>(
  'end_fact_check_run',
  `update fact_check_slots set ended_at = :now, spent = spent - case when :spent then 0 else 1 end
   where brand_key = :brandKey and holder = :holder and ended_at is null`,
);

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
