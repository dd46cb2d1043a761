/** The fact-check slot of a brand: its holder, its times, and how many runs of the day have spent. */
import { FACT_CHECK_RUN } from '../../contract/limits.js';
import { statement } from './statement.js';

/** No row: never run. */
export interface FactCheckSlot {
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
