/**
 * The connection of an embedded database, for another process: it sends the messages of Postgres's protocol, as to a server.
 * The database has one session, so the connection is taken from the server for as long as a statement or a transaction of
 * the other process takes.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { OpenFolder } from './embedded.js';

/** A process that stops within a transaction for this long, such as one that is suspended, loses the connection. */
const MAX_PAUSE_MS = 10_000;

/** Serves the protocol until the process closes the connection or sends something else. @param first What has arrived. */
export async function serveSession(socket: Socket, first: Buffer, open: OpenFolder): Promise<void> {
  const session = new Session(open);
  let pause: NodeJS.Timeout | undefined;
  try {
    const messages = messagesOf(socket, first);
    const { value: startup } = await messages.next();
    if (!(startup instanceof Buffer) || startup.length < 8 || startup.readInt32BE(4) !== PROTOCOL_3) return;
    socket.write(WELCOME);
    for await (const message of messages) {
      clearTimeout(pause);
      if (!isServed(message)) return;
      const response = await session.send(message);
      if (!socket.write(response)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      if (socket.destroyed) return;
      if (session.isHeld) pause = setTimeout(() => socket.destroy(), MAX_PAUSE_MS);
    }
  } finally {
    clearTimeout(pause);
    await session.end();
  }
}

// Messages of the protocol. Each begins with a letter, except the first, and with the number of bytes that follow the letter.

const PROTOCOL_3 = 0x3_0000;
/** A message may have the bindings of a statement; those of the commands are far shorter. */
const MAX_MESSAGE = 16 * 1024 * 1024;

async function* messagesOf(socket: Socket, first: Buffer): AsyncGenerator<Buffer> {
  let letter = 0;
  let parts = [first];
  let size = first.length;
  let needed = letter + 4;
  for await (const part of socket as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    while (size >= needed) {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const length = bytes.readInt32BE(letter);
      if (length < 4 || length > MAX_MESSAGE) return;
      const end = letter + length;
      parts = [bytes];
      needed = end;
      if (size < end) break;
      yield bytes.subarray(0, end);
      parts = [bytes.subarray(end)];
      size -= end;
      letter = 1;
      needed = letter + 4;
    }
  }
}

const typeOf = (message: Buffer): string => String.fromCharCode(message[0]!);

/** The types of messages that are served: a simple query, the parts of an extended one, and its end. */
const SERVED = 'QPBDEHCS';

/** A COPY that waits for rows, which the database cannot receive: it would end. */
const COPY_IN = /\bcopy\b.*\bstdin\b/is;

/**
 * Whether a message is of a type that is served. Any other one would end the database. Statements with names are not served,
 * because they would be those of the server.
 */
function isServed(message: Buffer): boolean {
  const type = typeOf(message);
  if (type === 'P' && message[5] !== 0) return false;
  if (type === 'C' && message[6] !== 0) return false;
  if ('QP'.includes(type) && COPY_IN.test(message.toString('latin1'))) return false;
  return SERVED.includes(type);
}

const message = (type: string, ...content: number[]): Buffer =>
  Buffer.from([type.charCodeAt(0), 0, 0, 0, 4 + content.length, ...content]);

const IDLE = 'I'.charCodeAt(0);
const SYNC = message('S');
const ROLLBACK = message('Q', ...Buffer.from('rollback\0'));
/** The log-in is accepted, and the connection waits for a query. */
const WELCOME = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', IDLE)]);

class Session {
  readonly #open: OpenFolder;
  #release: (() => Promise<void>) | undefined;

  constructor(open: OpenFolder) {
    this.#open = open;
  }

  /** Whether this session has the connection. */
  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  async send(message: Buffer): Promise<Uint8Array> {
    this.#release ??= (await this.#open.take()).release;
    const response = await this.#open.current().execProtocolRaw(message);
    // The response to a query ends with the state of the transaction.
    if ('QS'.includes(typeOf(message)) && response.at(-1) === IDLE) await this.#give();
    return response;
  }

  /** Rolls back what is not complete. */
  async end(): Promise<void> {
    if (!this.isHeld) return;
    try {
      for (const last of [SYNC, ROLLBACK]) await this.#open.current().execProtocolRaw(last);
    } finally {
      await this.#give();
    }
  }

  async #give(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    await release?.();
  }
}
