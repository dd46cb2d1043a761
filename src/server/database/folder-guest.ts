/** Uses an embedded database that a server of the same user has open. */

import type { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { ExpectedError } from '../../contract/failure.js';
import { columnTypes, type Done, prepareSession, silentLog } from './connections.js';
import { FolderInUseError } from './data-folder.js';
import { openCopy, openEmbedded } from './embedded.js';
import { connectTo, type FolderUse, Lines } from './folder-socket.js';

/** How a command uses an embedded database. */
export interface Beside {
  /** What the command wants if a server has the database open. */
  readonly use: FolderUse;
  /** The version of the program. */
  readonly version: string;
  /** Called if it gets its copy only when another process is done with one. */
  readonly onWait?: () => void;
}

/** The server that has the database open does not serve this process, or has ended. The message states the effect. */
export class FolderHostError extends ExpectedError {
  constructor(message: string, options?: ErrorOptions) {
    super('network', message, options);
  }
}

/** A server that starts listens within this time, and a short command ends. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 100;

/**
 * Opens the database of the folder, or uses it through the server that has it open.
 * @throws FolderInUseError if another process has it open and does not listen; FolderHostError.
 */
export async function openBeside(folder: string, beside: Beside) {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await openEmbedded(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      const opened = await throughServer(folder, beside);
      if (opened) return opened;
      if (Date.now() >= end) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Where the server listens that has the database of the folder open; undefined: none does, or it does not say. */
export async function serverOf(folder: string, version: string): Promise<string | undefined> {
  const socket = await connectTo(folder);
  if (!socket) return undefined;
  const lines = new Lines(socket);
  lines.send({ version, use: 'address', pid: process.pid });
  const greeting = await lines.next();
  lines.close();
  return greeting?.url;
}

/** The database through the server; undefined: none listens. */
async function throughServer(folder: string, { use, version, onWait }: Beside) {
  const socket = await connectTo(folder);
  if (!socket) return undefined;
  const lines = new Lines(socket);
  lines.send({ version, use, pid: process.pid });
  try {
    const greeting = await lines.next();
    if (greeting === null) return undefined;
    const { refused, pid = 0 } = greeting;
    if (refused !== undefined) throw new FolderHostError(refused);
    const host: Host = {
      socket,
      lines,
      server: `The server of process ${pid}, which has the database open,`,
    };
    return await (use === 'copy' || use === 'snapshot' ? withCopy(host, use, onWait) : withSession(host));
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface Host {
  readonly socket: Socket;
  readonly lines: Lines;
  /** The subject of a sentence. */
  readonly server: string;
}

/** How long a command waits for the connection of the server: the server may open or copy the database meanwhile. */
const SESSION_WAIT_MS = 60_000;

const UNKNOWN = 'Whether its last change is stored is not known: look before you repeat it.';
const NOT_STORED = 'Nothing of this command is stored.';

async function withSession({ socket, lines, server }: Host) {
  if ((await lines.next()) === null) throw new FolderHostError(`${server} has ended. ${NOT_STORED}`);
  lines.release();
  const db = knex({
    client: 'pg',
    connection: { user: 'svc', database: 'svc', stream: () => connected(socket), types: columnTypes },
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: pg.Client, done: Done) => {
        withoutNames(connection);
        prepareSession(connection, done);
      },
    },
    acquireConnectionTimeout: SESSION_WAIT_MS,
    log: silentLog,
  } as Knex.Config);
  let running: Running | undefined;
  db.on('query', (query: Running) => {
    running = query;
  });
  db.on('query-response', () => {
    running = undefined;
  });
  return {
    knex: db,
    lookUps: db,
    replica: null,
    embedded: true,
    ping: async () => {
      await db.raw('select 1');
    },
    failure: (error: unknown): unknown =>
      socket.destroyed || socket.readableEnded
        ? new FolderHostError(
            `${server} has ended, or has closed the connection. ${
              running !== undefined && mayBeStored(running)
                ? UNKNOWN
                : 'The transaction that ran is not stored.'
            }`,
          )
        : error,
    close: async () => {
      await db.destroy();
      socket.destroy();
    },
  };
}

/** A statement that was sent. */
interface Running {
  readonly sql: string;
  /** The transaction of the statement; undefined: it runs outside of one. */
  readonly __knexTxId?: string | undefined;
}

/** Whether a statement may have changed the database when its response is missing. */
const mayBeStored = ({ sql, __knexTxId }: Running): boolean =>
  /^commit\b/i.test(sql) ||
  (__knexTxId === undefined && !/^\s*(?:select|with|\/\*|set|begin|show)/i.test(sql));

/** The connected socket for the driver, which connects one that it gets. */
const connected = (socket: Socket): Socket =>
  Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.resume().emit('connect'));
      return socket;
    },
  });

/** Statements with names would be those of the server, in the only session of the database. */
function withoutNames(connection: pg.Client): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  Object.assign(connection, {
    query: (first: unknown, ...rest: unknown[]) => {
      if (typeof first === 'object' && first !== null && 'name' in first) delete first.name;
      return query(first, ...rest);
    },
  });
}

/** How often the server is told that the work goes on. */
const NEWS_MS = 2000;

async function withCopy({ socket, lines, server }: Host, use: FolderUse, onWait?: () => void) {
  const ended = `${server} has ended. ${NOT_STORED}`;
  let lent = await lines.next();
  if (lent?.waits === true) {
    onWait?.();
    lent = await lines.next();
  }
  if (lent?.copy === undefined) throw new FolderHostError(lent?.refused ?? ended);
  let lost: string | undefined;
  let isDone = false;
  // The response to the line that ends the work; before it, why there is no copy any more.
  const last = lines.next().then((line) => {
    if (!isDone) lost = line?.refused ? `${line.refused} ${NOT_STORED}` : ended;
    return line;
  });
  const failure = (error: unknown): unknown => (lost === undefined ? error : new FolderHostError(lost));
  const guard = (): void => {
    if (lost !== undefined) throw failure(lost);
  };
  const copy = await openCopy(lent.copy, guard).catch(async (error: unknown) => {
    // What was deleted cannot be opened, and the reason may arrive later.
    await setImmediate();
    throw failure(error);
  });
  let told = Date.now();
  const tell = (): void => {
    if (use !== 'copy' || Date.now() - told < NEWS_MS) return;
    told = Date.now();
    // A process that was suspended first reads that it has no copy any more: a line to a server that left ends the connection.
    void setImmediate().then(() => lines.send({ works: true }));
  };
  copy.knex.on('query', tell).on('query-response', tell);
  const next = await nextTransaction(copy.knex);
  const isToReplace = async (): Promise<boolean> => {
    try {
      guard();
      return use === 'copy' && (await hasCommitted(copy.knex, next));
    } finally {
      await copy.close();
    }
  };
  return {
    ...copy,
    isCopy: true,
    failure,
    close: async () => {
      try {
        const replace = await isToReplace();
        guard();
        isDone = true;
        lines.send({ replace });
        const line = await last;
        if (!replace) return;
        if (line?.refused !== undefined) throw new FolderHostError(`${line.refused} ${NOT_STORED}`);
        if (line?.replaced !== true) throw new FolderHostError(`${server} has ended. ${UNKNOWN}`);
      } finally {
        socket.destroy();
      }
    },
  };
}

/** The number of the next transaction that changes something. */
async function nextTransaction(db: Knex): Promise<number> {
  const { rows } = await db.raw(
    'select cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint) as next',
  );
  return rows[0].next;
}

/** Whether a transaction has changed something since then. */
async function hasCommitted(db: Knex, since: number): Promise<boolean> {
  const { rows } = await db.raw(
    `select coalesce(bool_or(pg_xact_status(cast(cast(n as text) as xid8)) = 'committed'), false) as committed
     from generate_series(cast(:since as bigint), cast(:end as bigint) - 1) as n`,
    { since, end: await nextTransaction(db) },
  );
  return rows[0].committed;
}
