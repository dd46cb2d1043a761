/** The adapter of the authorization server: one table with all that it keeps. Ids are secrets, so their SHA-256 is stored. */
import type { Knex } from 'knex';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashSecret } from '../../accounts/keys.js';
import type { Clock } from '../../base/clock.js';
import { isStorable, statement } from '../../base/statement.js';

interface RecordKey extends Record<string, unknown> {
  readonly model: string;
  readonly idHash: Buffer;
}

interface NewRecord extends RecordKey {
  readonly grantId: string | null;
  readonly payload: string;
  readonly now: Date;
  readonly expiresAt: Date | null;
}

const putRecord = statement<never, NewRecord>(
  'put_oauth_record',
  `insert into oauth_records (model, id_hash, grant_id, payload, created_at, expires_at)
   values (:model, :idHash, :grantId, cast(:payload as jsonb), :now, :expiresAt)
   on conflict (model, id_hash) do update set grant_id = excluded.grant_id, payload = excluded.payload,
     expires_at = excluded.expires_at`,
);

/** Adds a client; no row: `most` were added since `since`. */
const addClient = statement<{ added: number }, NewRecord & { since: Date; most: number }>(
  'add_oauth_client',
  `insert into oauth_records (model, id_hash, grant_id, payload, created_at, expires_at)
   select :model, cast(:idHash as bytea), :grantId, cast(:payload as jsonb), cast(:now as timestamptz),
     cast(:expiresAt as timestamptz)
   where (select count(*) from oauth_records where model = :model and created_at > :since) < cast(:most as integer)
   returning 1 as added`,
);

const findRecord = statement<{ payload: AdapterPayload; consumedAt: Date | null }, RecordKey & { now: Date }>(
  'find_oauth_record',
  `select payload, consumed_at as "consumedAt" from oauth_records
   where model = :model and id_hash = :idHash and (expires_at is null or expires_at > :now)`,
);

/** Marks a code or a token as used. Of several calls one gets a row. */
const consumeRecord = statement<{ consumed: number }, RecordKey & { now: Date }>(
  'consume_oauth_record',
  `update oauth_records set consumed_at = :now where model = :model and id_hash = :idHash and consumed_at is null
   returning 1 as consumed`,
);

const deleteRecord = statement<never, RecordKey>(
  'delete_oauth_record',
  'delete from oauth_records where model = :model and id_hash = :idHash',
);

const deleteOfGrant = statement<never, { model: string; grantId: string }>(
  'delete_oauth_records_of_model',
  'delete from oauth_records where model = :model and grant_id = :grantId',
);

const deleteGrant = statement<never, { id: string }>(
  'delete_oauth_grant',
  'delete from oauth_grants where id = :id',
);

const CLIENTS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/** The parts of a payload that hold its id are left out: the caller of `find` states the id. */
function storedOf(id: string, { jti, returnTo, ...payload }: AdapterPayload): string {
  const ended = returnTo?.endsWith(id) ? returnTo.slice(0, -id.length) : returnTo;
  return JSON.stringify({ ...payload, ...(returnTo && { returnTo: ended }) });
}

const loaded = (id: string, payload: AdapterPayload, consumedAt: Date | null): AdapterPayload => ({
  ...payload,
  jti: id,
  ...(payload.returnTo && { returnTo: payload.returnTo + id }),
  ...(consumedAt && { consumed: Math.floor(consumedAt.getTime() / 1000) }),
});

/**
 * The library's sessions remember who signed in. Here that is decided at every authorization, so none is kept: an authorization
 * that began with one could be continued in the browser of this session only, for as long as it lasts.
 */
const NOTHING: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Makes the adapter of a model. */
export const recordsIn =
  (db: Knex, clock: Clock) =>
  (model: string): Adapter => {
    if (model === 'Session') return NOTHING;
    const keyOf = (id: string): RecordKey => ({ model, idHash: hashSecret(id) });
    return {
      async upsert(id, payload, expiresIn) {
        const now = clock();
        const record: NewRecord = {
          ...keyOf(id),
          grantId: model === 'Grant' ? id : (payload.grantId ?? null),
          payload: storedOf(id, payload),
          now,
          expiresAt: expiresIn === undefined ? null : new Date(now.getTime() + expiresIn * 1000),
        };
        if (!isStorable(record.payload) || record.payload.includes('\\u0000'))
          throw new errors.InvalidRequest('a text has characters that cannot be stored');
        if (model !== 'Client') return void (await putRecord(db, record));
        const since = new Date(now.getTime() - HOUR_MS);
        const [added] = await addClient(db, { ...record, since, most: CLIENTS_PER_HOUR });
        if (!added) throw tooManyClients();
      },
      async find(id) {
        const [found] = await findRecord(db, { ...keyOf(id), now: clock() });
        return found && loaded(id, found.payload, found.consumedAt);
      },
      async consume(id) {
        const [consumed] = await consumeRecord(db, { ...keyOf(id), now: clock() });
        if (!consumed) throw new errors.InvalidGrant('it was used by another request at the same time');
      },
      async destroy(id) {
        if (model === 'Grant') await deleteGrant(db, { id });
        await deleteRecord(db, keyOf(id));
      },
      revokeByGrantId: async (grantId) => void (await deleteOfGrant(db, { model, grantId })),
      // Of sessions, and of codes that people type.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
  };

function tooManyClients(): Error {
  const error = new errors.CustomOIDCProviderError(
    'temporarily_unavailable',
    `more than ${CLIENTS_PER_HOUR} clients were registered within an hour`,
  );
  return Object.assign(error, { status: 429, statusCode: 429 });
}
