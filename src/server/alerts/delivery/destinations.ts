/** Where events are delivered: destinations of a workspace, with their addresses and secrets sealed. */

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Knex } from 'knex';
import {
  alertTypes,
  DELIVERY,
  type DestinationKind,
  destinationKinds,
  type EventType,
  eventTypeNames,
} from '../../../contract/events.js';
import { ExpectedError } from '../../../contract/failure.js';
import { isPublicAddress } from '../../../logs/clients/address.js';
import { listWorkspaces, workspaceBrandIds } from '../../accounts/keys.js';
import { deploymentSecret } from '../../base/deployment-secret.js';
import { statement } from '../../base/statement.js';

export interface DestinationRow {
  id: string;
  workspaceId: string;
  kind: DestinationKind;
  name: string | null;
  /** The part of the address that is no secret: `https://hooks.slack.com/…`, or an e-mail address. */
  shown: string;
  events: EventType[];
  brandIds: string[] | null;
  createdAt: Date;
  pausedAt: Date | null;
  pauseReason: string | null;
  deliveredAt: Date | null;
  failedAt: Date | null;
  failure: string | null;
}

const columns = `d.id, d.workspace_id as "workspaceId", d.kind, d.name, d.shown, d.events, d.brand_ids as "brandIds",
  d.created_at as "createdAt", d.paused_at as "pausedAt", d.pause_reason as "pauseReason",
  d.delivered_at as "deliveredAt", d.failed_at as "failedAt", d.failure`;

/** What a list shows of a destination: what waits, and what was given up. */
export interface ListedDestination extends DestinationRow {
  pending: number;
  givenUp: number;
}

export const listDestinations = statement<ListedDestination, Record<string, never>>(
  'list_destinations',
  `select ${columns}, coalesce(p.pending, 0) as pending, coalesce(p.given_up, 0) as "givenUp"
   from destinations d
   left join (
     select destination_id, count(*) filter (where ended_at is null) as pending,
       count(*) filter (where not delivered) as given_up
     from deliveries group by destination_id
   ) p on p.destination_id = d.id
   order by d.workspace_id, d.created_at, d.id`,
);

/** Why nothing arrives: the receiver is gone, or the last attempt failed; null: nothing is known to be wrong. */
export function failureOf({
  pausedAt,
  pauseReason,
  deliveredAt,
  failedAt,
  failure,
}: DestinationRow): string | null {
  if (pausedAt !== null) return pauseReason;
  return failedAt !== null && (deliveredAt === null || failedAt >= deliveredAt) ? failure : null;
}

const destinationById = statement<DestinationRow & { sealed: Buffer }, { id: string }>(
  'destination_by_id',
  `select ${columns}, d.sealed from destinations d where d.id = :id`,
);

/** Reads a destination and locks it against other changes. */
const holdDestination = statement<DestinationRow & { sealed: Buffer }, { id: string }>(
  'hold_destination',
  `select ${columns}, d.sealed from destinations d where d.id = :id for update`,
);

const insertDestination = statement<
  never,
  {
    id: string;
    workspaceId: string;
    kind: DestinationKind;
    name: string | null;
    shown: string;
    sealed: Buffer;
    events: readonly EventType[];
    brandIds: readonly string[] | null;
    now: Date;
  }
>(
  'insert_destination',
  `insert into destinations (id, workspace_id, kind, name, shown, sealed, events, brand_ids, created_at)
   values (:id, :workspaceId, :kind, :name, :shown, :sealed, :events, :brandIds, :now)`,
);

const resealDestination = statement<never, { id: string; sealed: Buffer }>(
  'reseal_destination',
  'update destinations set sealed = :sealed where id = :id',
);

/** Notes that a test message was delivered, as that of an event is. */
export const noteTested = statement<never, { id: string; now: Date }>(
  'note_tested',
  `update destinations set delivered_at = greatest(delivered_at, cast(:now as timestamptz)) where id = :id`,
);

/** A brand whose events a destination gets; no row: there is none. */
export const brandOfDestination = statement<{ id: string; name: string; domain: string }, { id: string }>(
  'brand_of_destination',
  `select b.id, b.name, b.domain from brands b join destinations d on d.workspace_id = b.workspace_id
   where d.id = :id and b.archived_at is null and (d.brand_ids is null or b.id = any(d.brand_ids))
   order by b.id limit 1`,
);

/** Pauses a destination; no row: there is none, or it is paused. */
export const pauseDestination = statement<{ id: string }, { id: string; now: Date; reason: string | null }>(
  'pause_destination',
  `update destinations set paused_at = :now, pause_reason = :reason where id = :id and paused_at is null
   returning id`,
);

/** Resumes a destination: what waited is due at once. No row: there is none, or it is not paused. */
export const resumeDestination = statement<{ id: string }, { id: string }>(
  'resume_destination',
  `with resumed as (
     update destinations set paused_at = null, pause_reason = null where id = :id and paused_at is not null
     returning id
   ),
   due as (
     update deliveries set due_at = null
     where ended_at is null and destination_id in (select id from resumed)
   )
   select id from resumed`,
);

/** Removes a destination and what waits for it; no row: there is none. */
export const removeDestination = statement<{ id: string }, { id: string }>(
  'remove_destination',
  `with emptied as (delete from deliveries where destination_id = :id)
   delete from destinations where id = :id returning id`,
);

// Sealing: what only a server of this deployment can read.

/** What is sealed. */
export interface Target {
  /** A URL, or an e-mail address. */
  readonly address: string;
  /** The secrets that a webhook is signed with, the newest first. */
  readonly secrets: readonly SigningSecret[];
}

export interface SigningSecret {
  /** `whsec_` and base64. */
  readonly value: string;
  /** When the secret stops signing, RFC 3339; null: it is the current one. */
  readonly until: string | null;
}

const SEAL_SECRET = 'destinations';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param id Of the destination: what was sealed for another one does not open. */
export function seal(key: KeyObject, id: string, target: Target): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(target), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error if the bytes were changed, or sealed by another deployment or for another destination. */
export function unseal(key: KeyObject, id: string, sealed: Buffer): Target {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString('utf8'));
}

/** The key of all seals of a deployment. */
export const sealKey = (db: Knex): (() => Promise<KeyObject>) => deploymentSecret(db, SEAL_SECRET);

// Making and changing destinations.

/** The request cannot be met. The message has no secret. */
export class DestinationError extends ExpectedError {
  constructor(message: string) {
    super('usage', message);
  }
}

export interface NewDestination {
  /** If omitted, the only one. */
  readonly workspace?: string | undefined;
  readonly kind: DestinationKind;
  readonly name?: string | undefined;
  /** A URL or an e-mail address. */
  readonly address: string;
  /** The secret of a webhook; if omitted, one is made. */
  readonly secret?: string | undefined;
  /** The types to deliver; if omitted or empty, the alerts. */
  readonly events?: readonly string[] | undefined;
  /** The brands whose events are delivered; if omitted or empty, all of the workspace. */
  readonly brands?: readonly string[] | undefined;
}

export interface AddedDestination {
  readonly id: string;
  readonly workspace: string;
  readonly shown: string;
  readonly events: readonly EventType[];
  /** Null: the kind has none. */
  readonly secret: string | null;
}

/**
 * Stores a destination.
 * @param allowPrivate Whether addresses of private networks are accepted, and http.
 * @throws DestinationError for an unknown workspace, brand or event, and for an address or a secret of another form.
 */
export async function addDestination(
  db: Knex,
  wanted: NewDestination,
  { allowPrivate, now }: { readonly allowPrivate: boolean; readonly now: Date },
): Promise<AddedDestination> {
  const { kind, name = null } = wanted;
  const address = wanted.address.trim();
  const shown = checkedAddress(kind, address, allowPrivate);
  const events = checkedEvents(wanted.events);
  if (wanted.secret !== undefined && kind !== 'webhook')
    throw new DestinationError(`Only a webhook has a secret; got one for ${destinationKinds[kind].label}.`);
  const secret = kind === 'webhook' ? checkedSecret(wanted.secret) : null;
  const workspace = wanted.workspace ?? (await onlyWorkspace(db));
  const [known] = await workspaceBrandIds(db, { workspaceId: workspace });
  if (!known) throw new DestinationError(`Unknown workspace: ${workspace}`);
  for (const brand of wanted.brands ?? []) {
    if (!known.brandIds.includes(brand))
      throw new DestinationError(`Unknown brand in workspace ${workspace}: ${brand}`);
  }
  const id = randomUUID();
  const target = { address, secrets: secret === null ? [] : [{ value: secret, until: null }] };
  await insertDestination(db, {
    id,
    workspaceId: workspace,
    kind,
    name,
    shown,
    events,
    now,
    sealed: seal(await sealKey(db)(), id, target),
    brandIds: wanted.brands?.length ? wanted.brands : null,
  });
  return { id, workspace, shown, events, secret };
}

/** @throws DestinationError if there are several, or none. */
async function onlyWorkspace(db: Knex): Promise<string> {
  const ids = (await listWorkspaces(db, {})).map(({ id }) => id);
  if (ids.length === 1) return ids[0]!;
  throw new DestinationError(
    ids.length === 0
      ? 'There is no workspace yet: `svc admin apply` or `svc admin import` makes the first one.'
      : `Expected a workspace, because there are several: ${ids.join(', ')}.`,
  );
}

/** The events of a destination, in the order of the contract. */
function checkedEvents(wanted: readonly string[] = []): EventType[] {
  const unknown = wanted.find((type) => !(eventTypeNames as readonly string[]).includes(type));
  if (unknown !== undefined)
    throw new DestinationError(`Unknown event: ${unknown}. Known are ${eventTypeNames.join(', ')}.`);
  return wanted.length === 0 ? alertTypes : eventTypeNames.filter((type) => wanted.includes(type));
}

/** One address without a name, and without anything that could end a header. */
const MAIL_ADDRESS = /^[^\s\p{C}<>()[\]\\,;:@"]{1,64}@[^\s\p{C}<>()[\]\\,;:@"]{1,253}$/u;

/** The part of a valid address that is shown. */
function checkedAddress(kind: DestinationKind, address: string, allowPrivate: boolean): string {
  if (kind === 'email') {
    if (MAIL_ADDRESS.test(address)) return address;
    throw new DestinationError('Expected one e-mail address, such as team@example.com.');
  }
  return `${checkedUrl(address, allowPrivate).origin}/…`;
}

/**
 * The URL of a destination, which no message repeats: it may hold a secret.
 * @throws DestinationError
 */
export function checkedUrl(address: string, allowPrivate: boolean): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new DestinationError('Expected an address that begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw new DestinationError(
      'Expected an address without a user and a password, got https://USER:PASSWORD@HOST/…; they would be sent with every message.',
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (allowPrivate) return url;
  const remedy =
    'ALERTS_ALLOW_PRIVATE=true allows it, in the environment of `svc admin destinations` and of the server';
  if (url.protocol === 'http:')
    throw new DestinationError(`Expected an address that begins with https://, got http://; ${remedy}.`);
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw new DestinationError(`Expected a public address, got ${host}; ${remedy}.`);
  return url;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = { least: 24, most: 64, made: 32 } as const;

/** A new secret in the form of Standard Webhooks. */
const newSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES.made).toString('base64');

/** The bytes that a secret signs with. */
export const secretBytes = (value: string): Buffer =>
  Buffer.from(value.slice(SECRET_PREFIX.length), 'base64');

function checkedSecret(given: string | undefined): string {
  if (given === undefined) return newSecret();
  const value = given.trim();
  const { length } = secretBytes(value);
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(value.slice(SECRET_PREFIX.length));
  if (
    value.startsWith(SECRET_PREFIX) &&
    isBase64 &&
    length >= SECRET_BYTES.least &&
    length <= SECRET_BYTES.most
  )
    return value;
  throw new DestinationError(
    `Expected a secret of the form ${SECRET_PREFIX} and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes in base64.`,
  );
}

/** The secrets that sign at a time. */
export const signingSecrets = ({ secrets }: Target, now: Date): string[] =>
  secrets.filter(({ until }) => until === null || new Date(until) > now).map(({ value }) => value);

/**
 * Replaces the secret of a webhook. The former one signs too for a day, so that the receiver can change it in between.
 * @throws DestinationError if there is no such destination, or its kind has no secret.
 */
export const rotateSecret = (
  db: Knex,
  { id, secret, now }: { readonly id: string; readonly secret?: string | undefined; readonly now: Date },
): Promise<{ readonly secret: string; readonly until: Date }> =>
  db.transaction(async (trx) => {
    const [row] = await holdDestination(trx, { id });
    if (!row) throw noDestination(id);
    if (row.kind !== 'webhook')
      throw new DestinationError(
        `Only a webhook has a secret; ${id} is ${destinationKinds[row.kind].label}. Remove it, and add it with the new address.`,
      );
    const key = await sealKey(trx)();
    const target = unseal(key, id, row.sealed);
    const value = checkedSecret(secret);
    const until = new Date(now.getTime() + DELIVERY.rotationHours * 3_600_000);
    const [current] = target.secrets;
    // At most two secrets sign: one that was replaced earlier no longer does.
    const former = current && current.value !== value ? [{ ...current, until: until.toISOString() }] : [];
    await resealDestination(trx, {
      id,
      sealed: seal(key, id, { ...target, secrets: [{ value, until: null }, ...former] }),
    });
    return { secret: value, until };
  });

/** @throws DestinationError if there is none. */
export async function openDestination(
  db: Knex,
  id: string,
): Promise<{ readonly row: DestinationRow; readonly target: Target }> {
  const [found] = await destinationById(db, { id });
  if (!found) throw noDestination(id);
  const { sealed, ...row } = found;
  return { row, target: unseal(await sealKey(db)(), id, sealed) };
}

const noDestination = (id: string) => new DestinationError(`No destination ${id} exists.`);
