/** Shares the embedded database that this server has open with other processes of the folder's owner. */
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import pLimit from 'p-limit';
import type { OpenFolder } from './embedded.js';
import { openFailure } from './failures.js';
import { copyDatabase } from './folder-copies.js';
import { serveSession } from './folder-session.js';
import { type FolderMessage, type FolderUse, Lines, listenIn } from './folder-socket.js';

export interface FolderHost {
  /** Ends the connections of other processes, and deletes their copies. */
  close(): Promise<void>;
}

const USES: readonly FolderUse[] = ['session', 'later session', 'copy', 'snapshot'];
/** How long a new connection may take to say what it wants. */
const FIRST_LINE_MS = 5000;

/**
 * Listens on the socket of the folder.
 * @param version The version of the program: processes of another one are refused.
 */
export async function shareFolder(open: OpenFolder, version: string): Promise<FolderHost> {
  const copies = new Copies(open);
  const attended = new Map<Socket, Promise<void>>();
  const server = await listenIn(open.folder, (socket) => {
    const done = attend(socket, open, copies, version)
      .catch(() => undefined)
      .finally(() => {
        socket.destroy();
        attended.delete(socket);
      });
    attended.set(socket, done);
  });
  return {
    close: async () => {
      server.close();
      for (const socket of attended.keys()) socket.destroy();
      await Promise.all(attended.values());
    },
  };
}

async function attend(socket: Socket, open: OpenFolder, copies: Copies, version: string): Promise<void> {
  const lines = new Lines(socket);
  const timer = setTimeout(() => socket.destroy(), FIRST_LINE_MS);
  const first = await lines.next();
  clearTimeout(timer);
  if (first === null) return;
  const refused = refusalOf(first, version);
  const greeting = { version, pid: process.pid };
  if (refused !== undefined) return lines.send({ ...greeting, refused });
  lines.send(greeting);
  if (first.use === 'copy' || first.use === 'snapshot') return copies.lend(lines, first.use === 'copy');
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
  /** Copying and replacing the files. */
  readonly #files = pLimit(1);
  /** Copies that may replace the database. */
  readonly #changing = pLimit(1);
  #number = 0;

  constructor(open: OpenFolder) {
    this.#open = open;
  }

  /** Runs `work` while no copy may replace the database. */
  without(work: () => Promise<void>): Promise<void> {
    return this.#changing(work);
  }

  async lend(lines: Lines, mayReplace: boolean): Promise<void> {
    const lent = () => this.#lend(lines, mayReplace);
    if (mayReplace && this.#changing.activeCount + this.#changing.pendingCount > 0)
      lines.send({ waits: true });
    lines.send(mayReplace ? await this.#changing(() => this.#withoutChanges(lent)) : await lent());
  }

  async #withoutChanges<T>(work: () => Promise<T>): Promise<T> {
    const { pause } = this.#open;
    pause.begin();
    try {
      return await work();
    } finally {
      await this.#refuseChanges(false);
      pause.end();
    }
  }

  /** Makes a copy, waits until the process is done with it, and uses or deletes it. Returns the last line for the process. */
  async #lend(lines: Lines, mayReplace: boolean): Promise<FolderMessage> {
    let copy: string | undefined;
    try {
      copy = await this.#files(() => this.#copied());
      lines.send({ copy });
      const last = await lines.next();
      const replaced = mayReplace && last?.replace === true;
      if (replaced) await this.#files(() => this.#open.replace(copy!));
      return { replaced };
    } catch (error) {
      const { message } = await openFailure(this.#open.folder, error);
      return { refused: message };
    } finally {
      if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    }
  }

  async #copied(): Promise<string> {
    await this.#refuseChanges(true);
    try {
      return await copyDatabase(this.#open.folder, ++this.#number);
    } finally {
      if (!this.#open.pause.isOn) await this.#refuseChanges(false);
    }
  }

  /** From now on. The files have all changes before. */
  async #refuseChanges(refuse: boolean): Promise<void> {
    const { release } = await this.#open.take();
    try {
      const database = this.#open.current();
      await database.exec(`set default_transaction_read_only = ${refuse ? 'on' : 'off'}`);
      if (refuse) await database.exec('checkpoint');
    } finally {
      await release();
    }
  }
}
