import { boolean, string } from '@oclif/core/flags';
import type { Knex } from 'knex';
import { failureKindOf } from '../../contract/failure.js';
import { CommandError } from '../failure/command-error.js';
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

  /** Opens the database, runs `work`, and closes it; `migrated: false` accepts any state of the schema. */
  protected async withDatabase<T>(
    flags: DatabaseFlags,
    work: (db: Knex, embedded: boolean) => Promise<T>,
    { migrated = true } = {},
  ): Promise<T> {
    const { openDatabase } = await import('../../server/database/database.js');
    const { readConfig } = await import('../../server/config.js');
    const { databaseLocation } = await import('../../server/database/database.js');
    const { requireSchema } = await import('../../server/database/schema-state.js');
    return explained(async () => {
      const database = await openDatabase(databaseLocation(readConfig(environmentWith(flags))));
      try {
        if (migrated) await requireSchema(database.knex);
        return await work(database.knex, database.embedded);
      } finally {
        await database.close();
      }
    });
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

/** Runs work on modules of the server, and turns expected errors into a CommandError. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const kind = failureKindOf(error);
    const { hint } = error as { readonly hint?: string };
    if (kind) throw new CommandError(kind, error.message, { retryable: kind === 'network', hint });
    const { isDatabaseUnavailable } = await import('../../server/errors.js');
    if (!isDatabaseUnavailable(error)) throw error;
    const { mayPass, unavailableMessage } = await import('../../server/database/failures.js');
    throw new CommandError('network', unavailableMessage(error), { retryable: mayPass(error) });
  }
}
