/**
 * The outbox: events and their deliveries are stored in the transaction that stores what happened, so that both are there or
 * neither. Any server delivers what is stored.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { EventData, EventType } from '../../contract/events.js';
import { statement } from '../statement.js';

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

/** The id of an event, which is the same however often it is enqueued and sent. */
export function eventId({ type, key, data }: Pick<NewEvent, 'type' | 'key' | 'data'>): string {
  const described = JSON.stringify([type, data.brand.id, key]);
  return `evt_${createHash('sha256').update(described).digest('hex').slice(0, 40)}`;
}

/**
 * Stores events that are new, with a delivery for each destination that wants them. A paused destination gets none. An event of
 * a brand that does not exist is not stored.
 */
const storeEvents = statement<{ id: string }, { events: string }>(
  'store_events',
  `with stored as (
     insert into events (id, brand_id, type, at, data)
     select e.id, b.id, e.type, e.at, e.data
     from json_to_recordset(cast(:events as json)) as e(id text, brand text, type text, at timestamptz, data json)
     join brands b on b.id = e.brand
     on conflict (id) do nothing
     returning id, brand_id, type
   ),
   wanted as (
     insert into deliveries (event_id, destination_id)
     select s.id, d.id
     from stored s join brands b on b.id = s.brand_id
     join destinations d on d.workspace_id = b.workspace_id
     where s.type = any(d.events) and d.paused_at is null and (d.brand_ids is null or s.brand_id = any(d.brand_ids))
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
    at: event.at,
    data: event.data,
  }));
  return (await storeEvents(trx, { events: JSON.stringify(rows) })).map(({ id }) => id);
}
