/** A fake Postgres server that can stop responding in the middle of a connection, like a frozen one. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface MutePostgres {
  readonly url: string;
  /** Texts of the received queries, without those that the driver sends itself. */
  readonly queries: string[];
  /** Queries from now on get no answer, until `speak`. */
  fallSilent(): void;
  /** Responds to waiting and later queries. */
  speak(): void;
  close(): Promise<void>;
}

const OWN_QUERIES = /^(?:select version|set time zone)/;

export async function mutePostgres(): Promise<MutePostgres> {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const queries: string[] = [];
  let silent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    let started = false;
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const kind = started ? 1 : 0;
        if (bytes.length < kind + 4) return;
        const length = kind + bytes.readInt32BE(kind);
        if (bytes.length < length) return;
        const [message, rest] = [bytes.subarray(0, length), bytes.subarray(length)];
        bytes = rest;
        if (!started) {
          started = true;
          socket.write(Buffer.concat([packet('R', Buffer.alloc(4)), READY]));
        } else if (message.toString('latin1', 0, 1) === 'Q') {
          const text = message.toString('utf8', 5, length - 1);
          if (!OWN_QUERIES.test(text)) queries.push(text);
          const answer = () => socket.write(Buffer.concat([ROW, READY]));
          if (silent) waiting.push(answer);
          else answer();
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/any`,
    queries,
    fallSilent: () => {
      silent = true;
    },
    speak: () => {
      silent = false;
      for (const answer of waiting.splice(0)) answer();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function packet(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >>> 16), int16(value & 0xffff)]);

const TEXT_TYPE = 25;
const VERSION = Buffer.from('PostgreSQL 17.0');
/** One row with the one column `version`, for every query. */
const ROW = Buffer.concat([
  packet(
    'T',
    Buffer.concat([
      int16(1),
      Buffer.from('version\0'),
      int32(0),
      int16(0),
      int32(TEXT_TYPE),
      int16(0xffff),
      int32(-1),
      int16(0),
    ]),
  ),
  packet('D', Buffer.concat([int16(1), int32(VERSION.length), VERSION])),
  packet('C', Buffer.from('SELECT 1\0')),
]);
const READY = packet('Z', Buffer.from('I'));
