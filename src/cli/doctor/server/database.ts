import { existsSync } from 'node:fs';
import type { ServerConfig } from '../../../server/config.js';
import type { Database, DatabaseLocation } from '../../../server/database/database.js';
import { type Check, failure, ok, warning } from '../check.js';
import { checkNightly, checkReplica, checkStoredBrands, checkStoredKeys } from './content.js';
import { checkDisk } from './disk.js';
import { checkSchema } from './schema.js';

/** The database of these settings and its content. An embedded database is neither created nor migrated. */
export async function* checkDatabase(config: ServerConfig, now: Date): AsyncGenerator<Check> {
  const { databaseLocation } = await import('../../../server/database/location.js');
  const location = databaseLocation(config);
  if ('folder' in location && !existsSync(location.folder!)) {
    yield warning(
      'database',
      `There is no embedded database in ${location.folder} yet.`,
      '`svc serve` makes one; DATABASE_URL or SVC_DATA_DIR name another.',
    );
    return;
  }
  const opened = await opening(location);
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
  { crawlerRetentionDays }: Pick<ServerConfig, 'crawlerRetentionDays'>,
  now: Date,
): AsyncGenerator<Check> {
  const { isCurrent, check } = await checkSchema(db);
  yield check;
  if (!isCurrent) return;
  yield await checkStoredBrands(db);
  yield await checkStoredKeys(db, now);
  yield await checkNightly(db, now, crawlerRetentionDays);
  if (replica) yield await checkReplica(db, replica);
}

type Opened = { readonly database: Database; readonly reached: Check } | { readonly check: Check };

async function opening(location: DatabaseLocation): Promise<Opened> {
  const { openDatabase } = await import('../../../server/database/database.js');
  const { DataFolderError, FolderInUseError } = await import('../../../server/database/data-folder.js');
  const { DiskFullError, EmbeddedOpenError } = await import('../../../server/database/open-failure.js');
  const { isDatabaseUnavailable } = await import('../../../server/errors.js');
  const { unavailableMessage } = await import('../../../server/database/failure-text.js');
  let database: Database | undefined;
  try {
    database = await openDatabase(location);
    const { rows } = await database.knex.raw("select current_setting('server_version') as version");
    const kind = database.embedded ? 'The embedded database' : 'The database';
    return { database, reached: ok('database', `${kind} answers (Postgres ${rows[0].version}).`) };
  } catch (error) {
    await database?.close();
    if (error instanceof FolderInUseError)
      return { check: ok('database', `${error.message.split('. ')[0]}, so its content is not checked.`) };
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
