/** Statements that wait until the test lets them go, on either database and however fast the machine is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

type Query = (connection: unknown, statement: { readonly sql: string }) => Promise<unknown>;

export interface HeldStatements {
  /** How many were started. */
  readonly started: number;
  /** Resolves when so many were started. */
  begun(count: number): Promise<void>;
  /** Lets all of them go, and those that start later. */
  release(): void;
  /** Ends the holding. */
  end(): void;
}

/** Holds the statements of a pool whose text matches; a held one occupies its connection. */
export function holdStatements(db: Knex, pattern: RegExp): HeldStatements {
  const { client } = db;
  const query: Query = client.query;
  let started = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  client.query = async (connection: unknown, statement: { readonly sql: string }) => {
    if (pattern.test(statement.sql)) {
      started++;
      await released;
    }
    return query.call(client, connection, statement);
  };
  return {
    get started() {
      return started;
    },
    begun: async (count) => {
      while (started < count) await sleep(5);
    },
    release,
    end: () => {
      release();
      client.query = query;
    },
  };
}
