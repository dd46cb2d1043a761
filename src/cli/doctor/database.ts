/** Checks of a database and of what it contains. */
import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { remedyText } from '../../contract/collection.js';
import { printable } from '../../contract/printable.js';
import type { IdentityProvider } from '../../server/accounts/identity-provider.js';
import type { CollectionState } from '../../server/answers/collections.js';
import type { Database, DatabaseLocation } from '../../server/database/database.js';
import type { ServerConfig } from '../../server/run/config.js';
import { collectionText, minute } from '../collect/routine-view.js';
import { counted } from '../render/view.js';
import { type Check, failure, ok, warning } from './check.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Below this an import may fail half-way, and it is rolled back. */
const LOW_BYTES = 2 * GIB;
/** Below this the database may stop. */
const NONE_BYTES = 100 * MIB;

/**
 * The size of the database and the free space of its disk, if that is a disk of this machine.
 * @param folder Of the embedded database; undefined: a server.
 */
export async function checkDisk(db: Knex, folder: string | undefined): Promise<Check> {
  const { bytesInWords, freeBytes } = await import('../../server/database/failures.js');
  const { rows } = await db.raw('select pg_database_size(current_database()) as bytes');
  const size = `The database has ${bytesInWords(Number(rows[0].bytes))}`;
  const place = folder ?? (await localDataFolder(db));
  const free = place === undefined ? undefined : freeBytes(place);
  if (free === undefined)
    return ok('disk', `${size}. The free space of its server is not visible from here.`);
  return freeCheck(`${size}; ${bytesInWords(free)} are free in ${place}.`, free);
}

/** The check of a disk with so many free bytes. */
export function freeCheck(finding: string, free: number): Check {
  if (free < NONE_BYTES)
    return failure('disk', finding, 'Free space now: `svc admin prune` deletes old runs.');
  return free < LOW_BYTES
    ? warning('disk', finding, 'Free space: `svc admin prune` deletes old runs.')
    : ok('disk', finding);
}

/** The data folder of a server that is connected to by a socket of this machine; undefined: not visible. */
async function localDataFolder(db: Knex): Promise<string | undefined> {
  try {
    const { rows } = await db.raw(
      "select inet_server_addr() is null as local, current_setting('data_directory') as folder",
    );
    return rows[0].local ? rows[0].folder : undefined;
  } catch {
    // Only some roles may see the setting.
    return undefined;
  }
}

/** @returns Whether the schema is that of this version, so that data can be read. */
export async function checkSchema(db: Knex): Promise<{ isCurrent: boolean; check: Check }> {
  const { SchemaError, schemaState } = await import('../../server/database/schema-state.js');
  try {
    const { applied, pending } = await schemaState(db);
    return { isCurrent: pending.length === 0, check: schemaCheck(applied, pending) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { isCurrent: false, check: failure('schema', error.message, 'Install the newer svc here too.') };
  }
}

function schemaCheck(applied: readonly string[], pending: readonly string[]): Check {
  if (applied.length === 0)
    return warning('schema', 'The database is empty.', '`svc serve` makes its schema when it starts.');
  if (pending.length > 0)
    return warning(
      'schema',
      `The schema is older than this version: ${pending.join(', ')} missing.`,
      '`svc admin migrate` applies them, and `svc serve` when it starts.',
    );
  const last = applied.toSorted().at(-1);
  return ok(
    'schema',
    `The schema is up to date (${counted(applied.length, 'migration')}, the last is ${last}).`,
  );
}

/** The stored brands, and those without data. */
export async function checkStoredBrands(db: Knex): Promise<Check> {
  const { listBrands } = await import('../../server/accounts/brands.js');
  const brands = await listBrands(db, {});
  if (brands.length === 0)
    return warning(
      'brands',
      'No brand is stored: every read answers 404.',
      '`svc init` and `svc admin apply` add one (docs/first-page.md); `svc admin import` loads data.',
    );
  const never = brands.filter(({ collected }) => !collected).length;
  const finding = `${counted(brands.length, 'brand')} stored`;
  return never === 0
    ? ok('brands', `${finding}.`)
    : warning(
        'brands',
        `${finding}; no answer was ever collected for ${never}.`,
        '`svc admin brands list` names them, `svc admin import` loads data.',
      );
}

/** Brands that a finding names. */
const NAMED_BRANDS = 5;

/** Brands whose runs of the last days were collected in another way than those of the days before. */
export async function checkSurfaces(db: Knex, now: Date): Promise<Check> {
  const { blendedEngineIds } = await import('../../contract/engines.js');
  const { brandKeys } = await import('../../server/intake/dataset/import-locks.js');
  const { utcDay, windowBefore, windowEnding } = await import('../../server/base/days.js');
  const { movedSurface } = await import('../../server/answers/metrics/change.js');
  const { statedSurfaces } = await import('../../server/answers/sums/collection.js');
  const { windowSumsByDay } = await import('../../server/answers/sums/entity-sums.js');
  const window = windowEnding(utcDay(now));
  const before = windowBefore(window).start;
  const moved: string[] = [];
  for (const { key: brandKey, id } of await brandKeys(db, {})) {
    const bindings = { brandKey, engines: blendedEngineIds, ...window };
    const surfaces = await statedSurfaces(db, { ...bindings, priorStart: before });
    if (surfaces.length === 0) continue;
    const days = await windowSumsByDay(db, { ...bindings, start: before });
    const runs = (isNow: boolean) =>
      days.reduce((sum, day) => (day.day >= window.start === isNow ? sum + day.runs : sum), 0);
    if (movedSurface(surfaces, runs(true), runs(false))) moved.push(id);
  }
  if (moved.length === 0)
    return ok('surfaces', 'No brand’s answers come from other surfaces than in the week before.');
  const named = moved.slice(0, NAMED_BRANDS).map(printable).join(', ');
  const left = moved.length - NAMED_BRANDS;
  return warning(
    'surfaces',
    `The surfaces that answers are collected from changed for ${named}${left > 0 ? ` and ${left} more` : ''}: verdicts of ${moved.length === 1 ? 'this brand' : 'these brands'} are unknown.`,
    'Choose one surface, as in `svc overview --surface ui`, or wait until both windows have the same.',
  );
}

const SOON_MS = 14 * 86_400_000;

/** The stored keys, and those that expire soon. */
export async function checkStoredKeys(db: Knex, now: Date): Promise<Check> {
  const { listKeys } = await import('../../server/accounts/keys.js');
  const unrevoked = (await listKeys(db, {})).filter(({ revokedAt }) => revokedAt === null);
  const left = ({ expiresAt }: (typeof unrevoked)[number]) =>
    expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now.getTime();
  const working = unrevoked.filter((key) => left(key) > 0);
  if (working.length === 0)
    return warning(
      'keys',
      'No stored key works: only the operator key does.',
      '`svc admin keys create` makes one.',
    );
  const soon = working.filter((key) => left(key) < SOON_MS);
  const finding = `${counted(working.length, 'key works', 'keys work')}`;
  if (soon.length === 0) return ok('keys', `${finding}.`);
  const named = soon.map(
    ({ display, expiresAt }) => `${printable(display)}… at ${expiresAt!.toISOString().slice(0, 16)}Z`,
  );
  return warning(
    'keys',
    `${finding}; soon expired: ${named.join(', ')}.`,
    'Make new ones in time: svc admin keys create',
  );
}

/** Whether the workspaces exist to which the rules of OIDC_ACCESS let people in. */
async function checkAccess(db: Knex, { rules }: IdentityProvider): Promise<Check> {
  const { listWorkspaces } = await import('../../server/accounts/keys.js');
  const known = (await listWorkspaces(db, {})).map(({ id }) => id);
  const missing = [...new Set(rules.map(({ workspaceId }) => workspaceId))].filter(
    (id) => !known.includes(id),
  );
  return missing.length === 0
    ? ok('access', `${counted(rules.length, 'rule')} let people in.`)
    : warning(
        'access',
        `OIDC_ACCESS names ${missing.map(printable).join(', ')}, and no such workspace exists.`,
        '`svc admin workspaces list` names them.',
      );
}

/** The statistics and the deletions that the nights before should have done. */
export async function checkNightly(db: Knex, now: Date, retentionDays: number): Promise<Check> {
  const { pendingWork } = await import('../../server/run/nightly.js');
  const { days, expiredBrands } = await pendingWork(db, now, retentionDays);
  const pending = [
    ...(days > 0 ? [`statistics of ${counted(days, 'finished day')}`] : []),
    ...(expiredBrands > 0 ? [`expired crawler requests of ${counted(expiredBrands, 'brand')}`] : []),
  ];
  return pending.length === 0
    ? ok('nightly work', 'No nightly work is pending.')
    : warning(
        'nightly work',
        `Pending: ${pending.join(', ')}.`,
        'A running server does it within ten minutes; else look for “failed” in its log.',
      );
}

/** The brands whose stored answers are not searched for new names yet; null: none. */
export async function checkNames(db: Knex): Promise<Check | null> {
  const { nameSearches } = await import('../../server/intake/dataset/name-search.js');
  const searches = await nameSearches(db, {});
  if (searches.length === 0) return null;
  const named = searches.slice(0, NAMED_BRANDS).map(({ brand, day }) => `${printable(brand)} back to ${day}`);
  const left = searches.length - NAMED_BRANDS;
  return warning(
    'names',
    `Stored answers are being searched for names that were added: ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`,
    'A running server goes on by itself; without one, `svc admin rollup` does.',
  );
}

/** A collection that is this late has not begun. */
const LATE_MS = 10 * 60_000;

/** When each brand was collected last and is next, if a server or `svc collect` has noted it. */
export async function* checkCollections(db: Knex, now: Date): AsyncGenerator<Check> {
  const { collectedBrands, recentCollections, stateOf } = await import('../../server/answers/collections.js');
  const brands = await collectedBrands(db, {});
  for (const { brandKey, id } of brands.slice(0, NAMED_BRANDS))
    yield collectionCheck(id, stateOf(await recentCollections(db, brandKey)), now);
  const left = brands.length - NAMED_BRANDS;
  if (left > 0) yield ok('collection', `${counted(left, 'more brand')} are not listed here.`);
}

function collectionCheck(id: string, { last, nextAt, obstacle }: CollectionState, now: Date): Check {
  const before = last ? `${collectionText(last)}` : 'never collected';
  const isOpen = last !== null && last.outcome === null && last.startedAt !== null;
  const none = isOpen ? 'a [schedule] plans the next one when this one ends' : 'no next one is planned';
  const next = nextAt === null ? none : `next ${minute(nextAt)}`;
  const finding = `${printable(id)}: ${before}; ${next}.`;
  if (obstacle !== null)
    return warning('collection', `${finding} ${printable(obstacle.reason)}`, remedyText(obstacle)!);
  if (nextAt !== null && now.getTime() - nextAt.getTime() > LATE_MS)
    return warning(
      'collection',
      `${finding} It has not begun.`,
      'Start `svc serve --plan svc.toml`; else look at its log.',
    );
  if (isOpen)
    return ok(
      'collection',
      `${finding} It has not ended: it runs, or was killed and goes on at the next start.`,
    );
  if (last === null || last.outcome === 'complete' || last.missing === 0) return ok('collection', finding);
  const reason = last.reason === null ? '' : ` ${printable(last.reason)}`;
  return warning('collection', `${finding}${reason}`, '`svc collect --dry-run` shows what is missing today.');
}

/** The destinations of events at which nothing arrives; null: none is stored. */
export async function checkDestinations(
  db: Knex,
  { mail }: Pick<ServerConfig, 'mail'>,
): Promise<Check | null> {
  const { failureOf, listDestinations } = await import('../../server/alerts/delivery/destinations.js');
  const destinations = await listDestinations(db, {});
  if (destinations.length === 0) return null;
  const finding = `${counted(destinations.length, 'destination')} of events`;
  const failing = destinations.flatMap((row) => {
    const failure = failureOf(row);
    return failure === null ? [] : [`${row.kind} ${printable(row.shown)} (${failure})`];
  });
  if (failing.length > 0)
    return warning(
      'destinations',
      `${finding}; nothing arrives at ${failing.join(', ')}.`,
      '`svc admin destinations list` names them, `svc admin destinations test` sends a message.',
    );
  return mail === null && destinations.some(({ kind }) => kind === 'email')
    ? warning('destinations', `${finding}; no mail is sent.`, 'Set SMTP_URL and MAIL_FROM.')
    : ok('destinations', `${finding}.`);
}

export async function checkReplica(primary: Knex, replica: Knex): Promise<Check> {
  const { compareReplica } = await import('../../server/database/replica.js');
  const { isDatabaseUnavailable } = await import('../../server/base/errors.js');
  const { unavailableMessage } = await import('../../server/database/failures.js');
  const remedy = 'Correct DATABASE_READ_URL or the replica; until then the primary computes all reads.';
  try {
    const { problem } = await compareReplica(primary, replica);
    return problem === null
      ? ok('replica', 'The replica answers.')
      : warning('replica', `The replica is left out: ${problem}.`, remedy);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return failure('replica', `The replica is left out. ${unavailableMessage(error as Error)}`, remedy);
  }
}

/** The database of these settings and its content. An embedded database is neither created nor migrated. */
export async function* checkDatabase(
  config: ServerConfig,
  now: Date,
  version: string,
): AsyncGenerator<Check> {
  const { databaseLocation } = await import('../../server/database/database.js');
  const location = databaseLocation(config);
  if ('folder' in location && !existsSync(location.folder!)) {
    yield warning(
      'database',
      `There is no embedded database in ${location.folder} yet.`,
      '`svc serve` makes one; DATABASE_URL or SVC_DATA_DIR name another.',
    );
    return;
  }
  const opened = await opening(location, version);
  if ('check' in opened) return yield opened.check;
  const { database } = opened;
  try {
    yield opened.reached;
    yield await checkDisk(database.knex, 'folder' in location ? location.folder : undefined);
    yield* checkContent(database, config, now);
  } finally {
    await database.close();
  }
}

/** The schema of an open database, and if it is that of this version, its content. */
export async function* checkContent(
  { knex: db, replica }: Database,
  {
    crawlerRetentionDays,
    mail,
    identityProvider,
  }: Pick<ServerConfig, 'crawlerRetentionDays' | 'mail' | 'identityProvider'>,
  now: Date,
): AsyncGenerator<Check> {
  const { isCurrent, check } = await checkSchema(db);
  yield check;
  if (!isCurrent) return;
  yield await checkStoredBrands(db);
  yield await checkSurfaces(db, now);
  yield await checkStoredKeys(db, now);
  if (identityProvider) yield await checkAccess(db, identityProvider);
  yield await checkNightly(db, now, crawlerRetentionDays);
  const names = await checkNames(db);
  if (names) yield names;
  yield* checkCollections(db, now);
  const destinations = await checkDestinations(db, { mail });
  if (destinations) yield destinations;
  if (replica) yield await checkReplica(db, replica);
}

type Opened = { readonly database: Database; readonly reached: Check } | { readonly check: Check };

async function opening(location: DatabaseLocation, version: string): Promise<Opened> {
  const { openDatabase } = await import('../../server/database/database.js');
  const { DataFolderError, FolderInUseError } = await import('../../server/database/data-folder.js');
  const { FolderHostError } = await import('../../server/database/folder-guest.js');
  const { DiskFullError, EmbeddedOpenError } = await import('../../server/database/failures.js');
  const { isDatabaseUnavailable } = await import('../../server/base/errors.js');
  const { unavailableMessage } = await import('../../server/database/failures.js');
  let database: Database | undefined;
  try {
    database = await openDatabase(location, { beside: { use: 'session', version } });
    const { rows } = await database.knex.raw("select current_setting('server_version') as version");
    const kind = database.embedded ? 'The embedded database' : 'The database';
    return { database, reached: ok('database', `${kind} answers (Postgres ${rows[0].version}).`) };
  } catch (error) {
    await database?.close();
    if (error instanceof FolderInUseError || error instanceof FolderHostError)
      return { check: ok('database', `${error.message} Its content is not checked.`) };
    if (error instanceof DataFolderError)
      return {
        check: failure('database', error.message, 'Correct SVC_DATA_DIR, or the rights of the folder.'),
      };
    if (error instanceof EmbeddedOpenError)
      return {
        check: failure(
          'database',
          error.message,
          error instanceof DiskFullError ? 'Free space on that disk.' : 'Restore a copy of the folder.',
        ),
      };
    if (!isDatabaseUnavailable(error)) throw error;
    return {
      check: failure(
        'database',
        unavailableMessage(error as Error),
        'Correct DATABASE_URL, or start Postgres.',
      ),
    };
  }
}
