/**
 * People who sign in by an OpenID provider. A person in a workspace stands where a key stands: with an id of its own, and a
 * hash that no secret has. What it may do is decided at each look-up, by the settings and by what the provider said last.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Plan } from '../../contract/keys.js';
import type { Clock } from '../base/clock.js';
import { DAY_MS } from '../base/days.js';
import { statement } from '../base/statement.js';
import type { Access } from './access.js';
import { type AccessRule, domainOf, type IdentityProvider } from './identity-provider.js';

/** What a provider says of a person. */
export interface Identity {
  readonly subject: string;
  /** What people call them; for reading only. */
  readonly name: string;
  /** Null: there is none, or it is not verified. */
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** The first rule that fits; undefined: none does. */
export const ruleFor = (
  rules: readonly AccessRule[],
  { email, groups }: Pick<Identity, 'email' | 'groups'>,
): AccessRule | undefined => {
  const domain = email === null ? null : domainOf(email);
  return rules.find(({ by, value }) => (by === 'domain' ? value === domain : groups.includes(value)));
};

/** Whoever has not signed in for this time is out, with their links and assistants: the provider may not know them any more. */
export const PERSON_DAYS = 30;
const activeSince = (now: Date): Date => new Date(now.getTime() - PERSON_DAYS * DAY_MS);

// Who comes in.

const noteClaims = statement<never, Identity & { issuer: string } & Record<string, unknown>>(
  'note_claims_of_person',
  `update people set name = :name, email = :email, groups = cast(:groups as text[])
   where issuer = :issuer and subject = :subject`,
);

interface NewPerson extends Identity, Record<string, unknown> {
  readonly id: string;
  readonly issuer: string;
  readonly workspaceId: string;
  readonly secretHash: Buffer;
  readonly now: Date;
}

/** Adds the person to the workspace, or notes that they came again; no row: the operator revoked them. */
const admitPerson = statement<{ id: string; secretHash: Buffer }, NewPerson>(
  'admit_person',
  `insert into people (id, issuer, subject, workspace_id, secret_hash, name, email, groups, created_at, signed_in_at)
   select :id, :issuer, :subject, :workspaceId, cast(:secretHash as bytea), :name, cast(:email as text),
     cast(:groups as text[]), cast(:now as timestamptz), cast(:now as timestamptz)
   where not exists (
     select 1 from people where issuer = :issuer and subject = :subject and revoked_at is not null)
   on conflict (issuer, subject, workspace_id) do update set signed_in_at = excluded.signed_in_at
   returning id, secret_hash as "secretHash"`,
);

const workspaceExists = statement<{ id: string }, { workspaceId: string }>(
  'workspace_exists',
  'select id from workspaces where id = :workspaceId',
);

const HASH_BYTES = 32;

/** Whether a person may come in: their hash, or why not. */
export type Admission =
  | { readonly secretHash: Buffer; readonly id: string }
  | { readonly refused: 'unknown' | 'revoked' }
  | { readonly refused: 'no_workspace'; readonly workspaceId: string };

/** Stores what the provider says of a person, also for their other sessions, and lets them in if a rule fits. */
export async function admit(
  db: Knex,
  { issuer, rules }: IdentityProvider,
  identity: Identity,
  now: Date,
): Promise<Admission> {
  // Only the groups of the rules: the others are none of this server's business.
  const groups = identity.groups.filter((group) =>
    rules.some(({ by, value }) => by === 'group' && value === group),
  );
  const { subject, name, email } = identity;
  const stored = { issuer, subject, name, email, groups };
  await noteClaims(db, stored);
  const rule = ruleFor(rules, identity);
  if (rule === undefined) return { refused: 'unknown' };
  const { workspaceId } = rule;
  const [workspace] = await workspaceExists(db, { workspaceId });
  if (!workspace) return { refused: 'no_workspace', workspaceId };
  const secretHash = randomBytes(HASH_BYTES);
  const [admitted] = await admitPerson(db, { ...stored, id: randomUUID(), workspaceId, secretHash, now });
  return admitted ?? { refused: 'revoked' };
}

// What a person may do.

interface FoundPerson {
  readonly secretHash: string;
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly groups: readonly string[];
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
}

/** The people with these hashes, in hex, who were not revoked and signed in lately. */
const peopleByHash = statement<FoundPerson, { hashes: readonly string[]; issuer: string; since: Date }>(
  'people_by_hash',
  `select encode(p.secret_hash, 'hex') as "secretHash", p.id, p.name, p.email, p.groups,
     p.workspace_id as "workspaceId", w.name as "workspaceName", w.plan
   from people p join workspaces w on w.id = p.workspace_id
   where p.secret_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))
     and p.issuer = :issuer and p.revoked_at is null and p.signed_in_at > :since`,
);

/** The accesses of the people with some hashes in hex. */
export type PeopleLookUp = (db: Knex, hashes: readonly string[]) => Promise<Map<string, Access>>;

/** Looks people up, of a provider with its rules. */
export const peopleOf =
  ({ issuer, rules }: IdentityProvider, clock: Clock): PeopleLookUp =>
  async (db, hashes) => {
    const people = await peopleByHash(db, { hashes, issuer, since: activeSince(clock()) });
    return new Map(
      people.flatMap((person) => {
        const { id, name, email, workspaceId, workspaceName, plan } = person;
        const rule = ruleFor(rules, person);
        if (rule?.workspaceId !== workspaceId) return [];
        const { kind } = rule;
        const limits = { brandIds: null, expiresAt: null, allow: null };
        const personName = email ?? name;
        const access = { keyId: id, kind, workspaceId, workspaceName, plan, personName, ...limits };
        return [[person.secretHash, access] as const];
      }),
    );
  };

// For the operator.

export interface PersonRow {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly groups: readonly string[];
  readonly workspaceId: string;
  readonly createdAt: Date;
  readonly signedInAt: Date;
  readonly revokedAt: Date | null;
}

/** Everybody who signed in lately or was revoked, the newest first. */
const listed = statement<PersonRow, { since: Date }>(
  'list_people',
  `select id, issuer, subject, name, email, groups, workspace_id as "workspaceId", created_at as "createdAt",
     signed_in_at as "signedInAt", revoked_at as "revokedAt"
   from people where signed_in_at > :since or revoked_at is not null order by signed_in_at desc, id`,
);

export const listPeople = (db: Knex, now: Date): Promise<PersonRow[]> =>
  listed(db, { since: activeSince(now) });

/** Revokes a person in all workspaces, or takes that back; no row: nobody has this id, or it is so already. */
export const revokePerson = statement<{ id: string }, { id: string; revokedAt: Date | null }>(
  'revoke_person',
  `update people p set revoked_at = cast(:revokedAt as timestamptz)
   from people named
   where named.id = :id and p.issuer = named.issuer and p.subject = named.subject
     and (p.revoked_at is null) <> (cast(:revokedAt as timestamptz) is null)
   returning p.id`,
);

const deleteInactive = statement<never, { since: Date }>(
  'delete_inactive_people',
  'delete from people where signed_in_at <= :since and revoked_at is null',
);

/** Deletes who has not signed in for so long that nothing of theirs works; who was revoked stays out. */
export const dropInactivePeople = (db: Knex, now: Date): Promise<unknown> =>
  deleteInactive(db, { since: activeSince(now) });

/** SQL: whether the hash in a column is that of a person of `people`, of any provider, who was not revoked. */
export const isOfPerson = (column: string): string =>
  `exists (select 1 from people p where p.secret_hash = ${column} and p.revoked_at is null
      and p.signed_in_at > cast(:now as timestamptz) - interval '${PERSON_DAYS} days')`;
