/** A loopback server that takes logs as the endpoint does: parses, recognises repeated hits by their identity, refuses on demand. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { identityInput } from '../../../src/logs/hit.js';
import { createLogParser } from '../../../src/logs/parse.js';
import { listening } from '../../support/listening.js';

/** Answers in place of the endpoint; false leaves it to the endpoint. `bytes` are the decoded body. */
export type IngestScript = (response: ServerResponse, bytes: Buffer, index: number) => boolean;

export interface IngestServer {
  readonly url: string;
  /** Decoded bodies that were taken, in order. */
  readonly bodies: Buffer[];
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Identities of all hits that were stored. */
  readonly stored: Set<string>;
  /** Requests that are not answered yet. */
  readonly underWay: number;
  /** Most requests that were under way at the same time. */
  readonly mostAtOnce: number;
  script: IngestScript | undefined;
  /** Milliseconds before each answer. */
  delay: number;
  close(): Promise<void>;
}

/** The four counters of one body; remembers its hits. */
function take(body: Buffer, stored: Set<string>): object {
  let inserted = 0;
  const parser = createLogParser({
    now: new Date(),
    onHit: (hit) => {
      const identity = identityInput(hit);
      if (stored.has(identity)) return;
      stored.add(identity);
      inserted += 1;
    },
  });
  parser.push(body);
  const { matched, totalLines, unparsed } = parser.end();
  return { inserted, matched, totalLines, unparsed };
}

export async function startIngestServer(): Promise<IngestServer> {
  const state = {
    bodies: [] as Buffer[],
    requests: [] as IngestServer['requests'],
    stored: new Set<string>(),
  };
  const counts = { underWay: 0, mostAtOnce: 0, script: undefined as IngestScript | undefined, delay: 0 };
  const server = createServer(async (request, response) => {
    counts.mostAtOnce = Math.max(counts.mostAtOnce, ++counts.underWay);
    response.on('close', () => {
      counts.underWay -= 1;
    });
    const index = state.requests.push({ url: request.url!, headers: request.headers }) - 1;
    const wire: Buffer[] = [];
    for await (const chunk of request) wire.push(chunk as Buffer);
    const sent = Buffer.concat(wire);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    if (counts.delay > 0) await new Promise((resolve) => setTimeout(resolve, counts.delay));
    if (counts.script?.(response, bytes, index)) return;
    state.bodies.push(bytes);
    answer(response, 200, take(bytes, state.stored));
  });
  const { url, close } = await listening(server);
  return Object.assign(counts, { ...state, url, close });
}

/** Sends a status with an error or a body. */
export function answer(response: ServerResponse, status: number, body: object, headers = {}): true {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

/** An access-log line of `second` (epoch seconds) for a path, by GPTBot unless said otherwise. */
export function logLine(second: number, path: string, agent = 'GPTBot/1.2'): string {
  const date = new Date(second * 1000);
  const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `192.0.2.1 - - [${day}:${clock} +0000] "GET ${path} HTTP/1.1" 200 17 "-" "${agent}"\n`;
}

export const FIRST_SECOND = Date.UTC(2026, 8, 1) / 1000;
