import { constants, setPriority } from 'node:os';
import { boolean, string } from '@oclif/core/flags';
import type { Knex } from 'knex';
import { failureKindOf } from '../../contract/failure.js';
import type { DatabaseLocation } from '../../server/database/database.js';
import type { FolderUse } from '../../server/database/folder-socket.js';
import { CommandError } from '../command-error.js';
import { GrowingTable } from '../render/table.js';
import { outputWidth, print, styled } from '../render/terminal.js';
import type { TableView } from '../render/view.js';
import { BaseCommand } from './base-command.js';

/** Flags of every command that works directly on the database. */
export const databaseFlags = {
  'database-url': string({
    description: 'Postgres server to work on; overrides DATABASE_URL',
    helpValue: 'postgres://…',
    helpGroup: 'GLOBAL',
  }),
  'data-dir': string({
    description: 'Data folder of the embedded database; overrides SVC_DATA_DIR',
    helpValue: 'FOLDER',
    helpGroup: 'GLOBAL',
  }),
};

export interface DatabaseFlags {
  readonly 'database-url'?: string | undefined;
  readonly 'data-dir'?: string | undefined;
}

interface AdminFlags extends DatabaseFlags {
  readonly json?: boolean;
}

/** The environment for the server, overridden by the flags; --data-dir beats DATABASE_URL. */
export function environmentWith(flags: DatabaseFlags, more: Record<string, string | undefined> = {}) {
  const defined = (values: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const { 'database-url': url, 'data-dir': folder } = flags;
  const location =
    url !== undefined
      ? { DATABASE_URL: url }
      : folder !== undefined
        ? { DATABASE_URL: '', DATABASE_READ_URL: '' }
        : {};
  return { ...process.env, ...location, ...defined({ SVC_DATA_DIR: folder, ...more }) };
}

/** The base of every command on the database. It loads the modules of the server only when a command runs. */
export abstract class AdminCommand extends BaseCommand {
  static override baseFlags = {
    ...databaseFlags,
    json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }),
  };

  /**
   * Opens the database, runs `work`, and closes it. Where a server has an embedded database open, `work` uses it through that
   * server, and runs again from the start if another process changed a copy of the database meanwhile.
   * @param work `isServed`: a server has the embedded database open, and does its own work in the background.
   * @param options `migrated: false` accepts any state of the schema, and `'if empty'` makes that of an empty database; `use`
   * states how long the work takes.
   */
  protected async withDatabase<T>(
    flags: DatabaseFlags,
    work: (db: Knex, embedded: boolean, isServed: boolean) => Promise<T>,
    { migrated = true, use = 'session' }: { migrated?: boolean | 'if empty'; use?: FolderUse } = {},
  ): Promise<T> {
    const { migrateEmpty, openDatabase } = await import('../../server/database/database.js');
    const { isMade } = await import('../../server/database/folder-copies.js');
    const { emptyDatabase, requireSchema } = await import('../../server/database/schema-state.js');
    const { version } = this.config;
    const onWait = () => this.note('Waiting for another command to end.');
    const withUse = async (use: FolderUse): Promise<T> => {
      const location = await this.locationOf(flags);
      // To open it would make one.
      if (migrated === true && 'folder' in location && !isMade(location.folder!)) throw emptyDatabase();
      const database = await openDatabase(location, { beside: { use, version, onWait } });
      if (database.isCopy) setPriority(constants.priority.PRIORITY_LOW);
      try {
        if (migrated) await (migrated === true ? requireSchema : migrateEmpty)(database.knex);
        return await work(database.knex, database.embedded, database.isCopy === true);
      } catch (error) {
        throw database.failure?.(error) ?? error;
      } finally {
        await database.close();
      }
    };
    return explained(async () => {
      try {
        return await withUse(use);
      } catch (error) {
        if (use !== 'session' || !isRefusedMeanwhile(error)) throw error;
        onWait();
        return withUse('later session');
      }
    });
  }

  protected async locationOf(flags: AdminFlags): Promise<DatabaseLocation> {
    const { databaseLocation } = await import('../../server/database/database.js');
    const { readConfig } = await import('../../server/run/config.js');
    return databaseLocation(readConfig(environmentWith(flags)));
  }

  /** Prints rows as a table, or under --json the payload. */
  protected async show<Row>(flags: AdminFlags, payload: object, view: TableView<Row>, rows: readonly Row[]) {
    if (flags.json) return print(`${JSON.stringify(payload)}\n`);
    if (rows.length === 0) return this.note(`No ${view.noun}.`);
    return print(new GrowingTable(view, outputWidth()).add(rows));
  }

  protected note(text: string): void {
    process.stderr.write(`${styled(['dim'], text, process.stderr)}\n`);
  }
}

/** Whether the database refused a change, because it is to be replaced by a copy that another process changes. */
const isRefusedMeanwhile = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === '25006';

/** Runs work on modules of the server, and turns expected errors into a CommandError. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const kind = failureKindOf(error);
    const { hint } = error as { readonly hint?: string };
    if (kind) throw new CommandError(kind, error.message, { retryable: kind === 'network', hint });
    const { isDatabaseUnavailable } = await import('../../server/base/errors.js');
    if (!isDatabaseUnavailable(error)) throw error;
    const { mayPass, unavailableMessage } = await import('../../server/database/failures.js');
    throw new CommandError('network', unavailableMessage(error), { retryable: mayPass(error) });
  }
}
