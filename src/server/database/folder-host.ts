/** Shares the embedded database that this server has open with other processes of the folder's owner. */
import type { Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import pLimit from 'p-limit';
import type { Logger } from '../base/log.js';
import type { OpenFolder } from './embedded.js';
import { openFailure } from './failures.js';
import { DatabaseCopy } from './folder-copies.js';
import { serveSession } from './folder-session.js';
import { type FolderMessage, type FolderUse, Lines, listenIn } from './folder-socket.js';

export interface FolderHost {
  /** States from now on where the server listens. */
  listensOn(url: string): void;
  /** Ends the connections of other processes, and deletes their copies. */
  close(): Promise<void>;
}

const USES: readonly FolderUse[] = ['session', 'later session', 'copy', 'snapshot', 'address'];
/** How long a new connection may take to say what it wants. */
const FIRST_LINE_MS = 5000;
/** How long changes wait for a process that sends no statement: longer than any statement of a command takes. */
const PATIENCE_MS = 60_000;
/** Fewer bytes than these are copied in some milliseconds: two files of the log of changes. */
const FEW_BYTES = 32 * 1024 * 1024;
/** The database may change as fast as it is copied. */
const MAX_PASSES = 4;

/**
 * Listens on the socket of the folder.
 * @param version The version of the program: processes of another one are refused.
 */
export async function shareFolder(
  open: OpenFolder,
  version: string,
  log: Logger,
  patienceMs = PATIENCE_MS,
): Promise<FolderHost> {
  const copies = new Copies(open, log, patienceMs);
  const attended = new Map<Socket, Promise<void>>();
  const own: FolderMessage = { version, pid: process.pid };
  let greeting = own;
  const server = await listenIn(open.folder, (socket) => {
    const done = attend(socket, open, copies, greeting)
      .catch(() => undefined)
      .finally(() => {
        socket.destroy();
        attended.delete(socket);
      });
    attended.set(socket, done);
  });
  return {
    listensOn: (url) => {
      greeting = { ...own, url };
    },
    close: async () => {
      server.close();
      for (const socket of attended.keys()) socket.destroy();
      await Promise.all(attended.values());
    },
  };
}

async function attend(
  socket: Socket,
  open: OpenFolder,
  copies: Copies,
  greeting: FolderMessage,
): Promise<void> {
  const lines = new Lines(socket);
  const timer = setTimeout(() => socket.destroy(), FIRST_LINE_MS);
  const first = await lines.next();
  clearTimeout(timer);
  if (first === null) return;
  const refused = refusalOf(first, greeting.version!);
  if (refused !== undefined) return lines.send({ ...greeting, refused });
  lines.send(greeting);
  if (first.use === 'address') return;
  if (first.use === 'snapshot') return lines.send(await copies.lend(lines));
  if (first.use === 'copy') return copies.lendToChange(lines, { pid: first.pid });
  const session = async () => {
    lines.send({});
    await serveSession(socket, lines.release(), open);
  };
  await (first.use === 'later session' ? copies.without(session) : session());
}

function refusalOf({ use, version: theirs }: FolderMessage, version: string): string | undefined {
  if (theirs !== version)
    return `The server of process ${process.pid}, which has the database open, is svc ${version}, and this command is svc ${String(theirs).slice(0, 40)}. Use one version for both, or stop the server.`;
  return USES.includes(use!) ? undefined : `Expected one of ${USES.join(', ')}.`;
}

/**
 * Lends copies of the database. While one may replace it, the database accepts no changes, because they would be lost: they
 * fail with the SQLSTATE of a standby, for which the server responds with 503. Requests wait for the end of that before.
 */
class Copies {
  readonly #open: OpenFolder;
  readonly #log: Logger;
  readonly #patienceMs: number;
  /** Copying and replacing the files. */
  readonly #files = pLimit(1);
  /** Copies that may replace the database. */
  readonly #changing = pLimit(1);
  #number = 0;

  constructor(open: OpenFolder, log: Logger, patienceMs: number) {
    this.#open = open;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  /** Runs `work` while no copy may replace the database. */
  without(work: () => Promise<void>): Promise<void> {
    return this.#changing(work);
  }

  /** @param who Fields of the log. */
  async lendToChange(lines: Lines, who: object): Promise<void> {
    if (this.#changing.activeCount + this.#changing.pendingCount > 0) lines.send({ waits: true });
    lines.send(await this.#changing(() => this.#withoutChanges(who, () => this.lend(lines, who))));
  }

  async #withoutChanges<T>(who: object, work: () => Promise<T>): Promise<T> {
    const { pause } = this.#open;
    pause.begin();
    this.#log.info(who, 'a command changes a copy of the database: other changes wait');
    try {
      return await work();
    } finally {
      try {
        await this.#alone((database) => database.exec('set default_transaction_read_only = off'));
      } finally {
        pause.end();
        this.#log.info(who, 'the database accepts changes again');
      }
    }
  }

  /**
   * Makes a copy, waits until the process is done with it, and uses or deletes it. Returns the last line for the process.
   * @param changes Fields of the log, if the copy may replace the database.
   */
  async lend(lines: Lines, changes?: object): Promise<FolderMessage> {
    const copy = new DatabaseCopy(this.#open.folder, ++this.#number);
    try {
      await this.#files(() => this.#make(copy, changes !== undefined));
      lines.send({ copy: copy.path });
      const last = await this.#lastLine(lines, changes);
      const replaced = changes !== undefined && last?.replace === true;
      if (replaced) await this.#files(() => this.#open.replace(copy.path));
      return { replaced };
    } catch (error) {
      return { refused: openFailure(this.#open.folder, error).message };
    } finally {
      await copy.delete();
    }
  }

  /** The database is used meanwhile. Nobody uses it only while the last changed files are copied, which are few. */
  async #make(copy: DatabaseCopy, refusesChanges: boolean): Promise<void> {
    await copy.begin();
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      await this.#alone((database) => database.exec('checkpoint'));
      if ((await copy.update()) <= FEW_BYTES) break;
    }
    await this.#alone(async (database) => {
      if (refusesChanges) await database.exec('set default_transaction_read_only = on');
      await database.exec('checkpoint');
      await copy.update();
    });
  }

  /** The last line of a process. Null: it has ended, or lost its copy because nothing went on while changes waited for it. */
  async #lastLine(lines: Lines, changes: object | undefined): Promise<FolderMessage | null> {
    const seconds = this.#patienceMs / 1000;
    const takeBack = () => {
      this.#log.warn(
        { ...changes, seconds },
        'a command made no progress: its copy of the database is deleted',
      );
      lines.send({
        refused: `The command made no progress for ${seconds} s, while changes of other processes waited for it: the server has taken the copy of the database back.`,
      });
      lines.close();
    };
    const timer = changes && setTimeout(takeBack, this.#patienceMs);
    try {
      for (;;) {
        const line = await lines.next();
        if (line?.works !== true) return line;
        timer?.refresh();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs `work` while nobody else uses the database. */
  async #alone(work: (database: PGlite) => Promise<unknown>): Promise<void> {
    const { release } = await this.#open.take();
    try {
      await work(this.#open.current());
    } finally {
      await release();
    }
  }
}
