/**
 * The socket in the folder of an embedded database. The server that has the database open listens on it, and other processes
 * of its owner connect. Both ends send lines of JSON; a session then speaks the protocol of Postgres.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolderError } from './data-folder.js';

/** What a process wants of the database. */
export type FolderUse =
  /** The connection of the server, for short statements and transactions. */
  | 'session'
  /** A session that waits until no process changes a copy. */
  | 'later session'
  /** A copy of the database that replaces it in the end, for work that takes long. */
  | 'copy'
  /** A copy to read. */
  | 'snapshot'
  /** Nothing: where the server listens is in its first line. */
  | 'address';

/** A line of the client, or of the server. Each has some of the fields. */
export interface FolderMessage {
  /** The version of the program, in the first line of both. */
  readonly version?: string;
  readonly use?: FolderUse;
  /** The process that sends the line. */
  readonly pid?: number;
  /** Where the server listens, in its first line; absent: it does not yet. */
  readonly url?: string;
  /** Why the server refuses the use, as a sentence. */
  readonly refused?: string;
  /** Whether another process changes a copy, so that this one gets its copy later. */
  readonly waits?: boolean;
  /** The folder of the copy. */
  readonly copy?: string;
  /** Whether the process still makes progress with its copy. */
  readonly works?: boolean;
  /** Whether the copy is to replace the database. */
  readonly replace?: boolean;
  /** Whether the copy has replaced the database. */
  readonly replaced?: boolean;
}

const IS_WINDOWS = process.platform === 'win32';
const SOCKET = 'svc.socket';
/** The system takes 103 bytes on macOS and 107 on Linux. */
const MAX_PATH = 100;

/**
 * Where the socket is: in the folder; if its path is too long for a socket, in a folder of the user below that for temporary
 * files; on Windows a named pipe.
 * @throws DataFolderError if another user has that folder.
 */
export async function socketPath(folder: string): Promise<string> {
  const path = join(folder, SOCKET);
  if (!IS_WINDOWS && Buffer.byteLength(path) <= MAX_PATH) return path;
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
  if (IS_WINDOWS) return `\\\\.\\pipe\\svc-${name}`;
  const user = process.getuid!();
  const own = join(tmpdir(), `svc-${user}`);
  await mkdir(own, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new DataFolderError(own, error.code);
  });
  const { uid, mode } = await lstat(own);
  if (uid !== user || (mode & 0o170077) !== 0o040000)
    throw new DataFolderError(own, 'it must be a folder of this user, with the mode 0700');
  return join(own, `${name}.socket`);
}

/** Listens on the socket, which only the owner of the folder can open. The caller has the lock of the folder. */
export async function listenIn(folder: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const path = await socketPath(folder);
  // Of a server that was killed: a second one cannot have the lock.
  if (!IS_WINDOWS) await rm(path, { force: true });
  const server = createServer(onConnection);
  // The socket is made within the call, with the rights that the mask leaves.
  const mask = IS_WINDOWS ? undefined : process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  await once(server, 'listening');
  return server;
}

/** A connection to the server of the folder; undefined: nothing listens. */
export async function connectTo(folder: string): Promise<Socket | undefined> {
  const socket = connect(await socketPath(folder));
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    socket.destroy();
    return undefined;
  }
}

/** A longer line is none of the protocol. */
const MAX_LINE = 64 * 1024;
const NEWLINE = 10;

/** The lines of the other end. */
export class Lines {
  readonly #socket: Socket;
  #rest = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => {};
  readonly #take = (chunk: Buffer): void => {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (this.#rest.length > MAX_LINE) this.#socket.destroy();
    this.#wake();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    // An error is followed by the end of the connection.
    socket.on('error', () => undefined);
    socket.on('data', this.#take);
    for (const event of ['end', 'close'])
      socket.on(event, () => {
        this.#isClosed = true;
        this.#wake();
      });
  }

  /** The next line. Null: the connection has ended, or what came is no line of the protocol. */
  async next(): Promise<FolderMessage | null> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString('utf8');
        this.#rest = this.#rest.subarray(end + 1);
        return messageOf(line);
      }
      if (this.#isClosed) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  send(message: FolderMessage): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Leaves the connection to another reader. Returns what has arrived after the last line. */
  release(): Buffer {
    this.#socket.off('data', this.#take);
    this.#socket.pause();
    return this.#rest;
  }
}

function messageOf(line: string): FolderMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
