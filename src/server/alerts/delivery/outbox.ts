/**
 * The outbox: events and their deliveries are stored in the transaction that stores what happened, so that both are there or
 * neither. Any server delivers what is stored.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { DestinationKind, EventData, EventType } from '../../../contract/events.js';
import { statement } from '../../base/statement.js';

export interface NewEvent {
  readonly type: EventType;
  /**
   * What is described, in a text that is the same whenever and by whomever it is found, as `visibility 2026-11-09 up`: events
   * of the same type, brand and key are one event.
   */
  readonly key: string;
  /** When it was found. */
  readonly at: Date;
  /** The link is a path of the page, as `/brands/acme`; a delivery makes it an address. */
  readonly data: EventData;
}

/** The types that are told by an event. */
const typesOf = ({ type, data }: NewEvent): string[] => [
  ...new Set([type, ...data.moves.map((move) => move.type)]),
];

/** The id of an event, which is the same however often it is enqueued and sent. */
export function eventId({
  type,
  key,
  data,
}: Pick<NewEvent, 'type' | 'key'> & { readonly data: Pick<EventData, 'brand'> }): string {
  const described = JSON.stringify([type, data.brand.id, key]);
  return `evt_${createHash('sha256').update(described).digest('hex').slice(0, 40)}`;
}

/**
 * Stores events that are new, with a delivery for each destination that wants any of what they tell. A paused destination gets none. An event of
 * a brand that does not exist is not stored.
 */
const storeEvents = statement<{ id: string }, { events: string }>(
  'store_events',
  `with given as (
     select * from json_to_recordset(cast(:events as json))
       as e(id text, brand text, type text, types json, at timestamptz, data json)
   ),
   told as (select g.id, t.type from given g cross join lateral json_array_elements_text(g.types) as t(type)),
   stored as (
     insert into events (id, brand_id, type, at, data)
     select e.id, b.id, e.type, e.at, e.data
     from given e
     join brands b on b.id = e.brand
     on conflict (id) do nothing
     returning id, brand_id
   ),
   wanted as (
     insert into deliveries (event_id, destination_id)
     select s.id, d.id
     from stored s join brands b on b.id = s.brand_id
     join destinations d on d.workspace_id = b.workspace_id
     where exists (select 1 from told t where t.id = s.id and t.type = any(d.events)) and d.paused_at is null and (d.brand_ids is null or s.brand_id = any(d.brand_ids))
   )
   select id from stored`,
);

/**
 * Enqueues events, in the transaction that stores what they describe. What was enqueued before is not enqueued again.
 * @returns The ids of the new ones.
 */
export async function enqueue(trx: Knex, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => ({
    id: eventId(event),
    brand: event.data.brand.id,
    type: event.type,
    types: typesOf(event),
    at: event.at,
    data: event.data,
  }));
  return (await storeEvents(trx, { events: JSON.stringify(rows) })).map(({ id }) => id);
}

// Deliveries. A server claims one, sends it and notes the outcome; no transaction is open while it sends. A claim that ends
// without an outcome, because its server was killed, lets any server send the same message again.

/** The time of the binding, else that of the database, so that servers with different clocks agree. */
const NOW = 'coalesce(cast(:now as timestamptz), clock_timestamp())';

/** Null: now, by the clock of the database. */
type Now = { readonly now: Date | null };

/** Longer than an attempt may take. */
const CLAIM_SECONDS = 60;
/** No pause and no claim is as long as these: times beyond them come from a clock that was wrong. */
const IMPOSSIBLE = { due_at: '2 days', claimed_until: `${2 * CLAIM_SECONDS} seconds` } as const;

const isOver = (table: string, time: keyof typeof IMPOSSIBLE) =>
  `(${table}.${time} is null or ${table}.${time} <= ${NOW} or ${table}.${time} > ${NOW} + interval '${IMPOSSIBLE[time]}')`;

export interface ClaimedDelivery {
  eventId: string;
  destinationId: string;
  /** How often the message was sent, with the current attempt. */
  attempts: number;
  type: EventType;
  at: Date;
  data: EventData;
  kind: DestinationKind;
  /** The types that the destination gets. */
  wanted: EventType[];
  sealed: Buffer;
}

/** Deliveries that are due, of destinations that no server sends to right now. */
const DUE = `deliveries p
     join destinations d on d.id = p.destination_id
     join events e on e.id = p.event_id
     where p.ended_at is null and d.paused_at is null and ${isOver('p', 'due_at')} and ${isOver('p', 'claimed_until')}
       and not exists (
         select 1 from deliveries b
         where b.destination_id = p.destination_id and b.ended_at is null and not ${isOver('b', 'claimed_until')}
       )`;

const anyDue = statement<{ found: boolean }, Now>(
  'any_delivery_due',
  `select exists (select 1 from ${DUE}) as found`,
);

/** Until the end of a transaction: otherwise two servers would claim two deliveries of one destination at the same time. */
const CLAIMING = 7_301_942;
const holdClaims = statement<never, { lock: number }>(
  'hold_claims',
  'select pg_advisory_xact_lock(cast(:lock as bigint))',
);

/** When a destination had its last turn; null: it had none. */
const LAST_TURN = 'greatest(d.delivered_at, d.failed_at)';
const FAILS = "coalesce(d.failed_at > coalesce(d.delivered_at, '-infinity'), false)";

/**
 * Destinations take turns: first the one whose last turn is the longest ago, with its oldest message. Those that fail come last
 * unless `anyTurn`, so that neither many that are dead nor many that are slow keep the others waiting.
 */
const claimDue = statement<ClaimedDelivery, Claiming>(
  'claim_delivery',
  `with due as (
     select p.event_id, p.destination_id
     from ${DUE}
     order by not cast(:anyTurn as boolean) and ${FAILS}, ${LAST_TURN} nulls first, p.due_at nulls first, e.at, p.event_id
     limit 1
     for update of p skip locked
   )
   update deliveries x
   set claim = :claim, claimed_until = ${NOW} + interval '${CLAIM_SECONDS} seconds', attempts = x.attempts + 1
   from due, events e, destinations d
   where x.event_id = due.event_id and x.destination_id = due.destination_id
     and e.id = due.event_id and d.id = due.destination_id
   returning x.event_id as "eventId", x.destination_id as "destinationId", x.attempts, e.type, e.at, e.data, d.kind,
     d.events as wanted, d.sealed`,
);

interface Claiming extends Now, Record<string, unknown> {
  readonly claim: string;
  /** Whether destinations that fail have their turn with the others. */
  readonly anyTurn: boolean;
}

/** Claims a delivery of the destination whose turn it is. One statement if none is due. */
export async function claimDelivery(db: Knex, claimed: Claiming): Promise<ClaimedDelivery | undefined> {
  const [due] = await anyDue(db, { now: claimed.now });
  if (!due!.found) return undefined;
  return db.transaction(async (trx) => {
    await holdClaims(trx, { lock: CLAIMING });
    const [delivery] = await claimDue(trx, claimed);
    return delivery;
  });
}

interface Claim extends Now, Record<string, unknown> {
  eventId: string;
  destinationId: string;
  claim: string;
}

const isClaimed =
  'event_id = :eventId and destination_id = :destinationId and claim = :claim and ended_at is null';

/** Notes a success. No row: another server has claimed the delivery since. */
export const noteDelivered = statement<{ id: string }, Claim>(
  'note_delivered',
  `with ended as (
     update deliveries set ended_at = ${NOW}, delivered = true, failure = null, claimed_until = null
     where ${isClaimed} returning destination_id
   )
   update destinations set delivered_at = ${NOW} where id in (select destination_id from ended) returning id`,
);

/**
 * Notes a failure, with the seconds until the next attempt; null: it was the last one. No row: another server has claimed the
 * delivery since.
 * @param pause Why the destination is paused; null: it is not.
 */
export const noteFailed = statement<
  { id: string },
  Claim & { failure: string; waitSeconds: number | null; pause: string | null }
>(
  'note_failed',
  `with noted as (
     update deliveries set
       failure = :failure,
       claimed_until = null,
       due_at = ${NOW} + cast(:waitSeconds as double precision) * interval '1 second',
       ended_at = case when cast(:waitSeconds as double precision) is null then ${NOW} end,
       delivered = case when cast(:waitSeconds as double precision) is null then false end
     where ${isClaimed} returning destination_id
   )
   update destinations set
     failed_at = ${NOW},
     failure = :failure,
     paused_at = case when cast(:pause as text) is null then paused_at else coalesce(paused_at, ${NOW}) end,
     pause_reason = case when paused_at is null then cast(:pause as text) else pause_reason end
   where id in (select destination_id from noted) returning id`,
);

/** Gives a claim back, as if the attempt had not begun. */
export const releaseClaim = statement<never, Omit<Claim, 'now'>>(
  'release_claim',
  `update deliveries set claimed_until = null, attempts = attempts - 1 where ${isClaimed}`,
);

/** Deliveries that wait. */
export const pendingDeliveries = statement<{ pending: number }, Record<string, never>>(
  'pending_deliveries',
  `select count(*) as pending from deliveries p join destinations d on d.id = p.destination_id
   where p.ended_at is null and d.paused_at is null`,
);

/** How long events are kept, delivered or not. */
const EVENT_DAYS = 90;

/** Deletes events that are too old, with their deliveries. */
export const dropOldEvents = statement<never, Now>(
  'drop_old_events',
  `with dropped as (delete from events where at < ${NOW} - interval '${EVENT_DAYS} days' returning id)
   delete from deliveries where event_id in (select id from dropped)`,
);
