import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { API_VERSION, headers } from '../../../src/contract/versions.js';
import { listening } from '../../support/listening.js';
import { isList, listBody, overviewBody } from './rows.js';
import { ServerBucket } from './server-bucket.js';

export const KEY = `svc_${'k'.repeat(43)}`;

/** Answers a request in place of the API; false leaves it to the API. */
export type Script = (response: ServerResponse, request: IncomingMessage, index: number) => unknown;

export interface TestServer {
  readonly url: string;
  /** Path and query of every request, in order of arrival. */
  readonly paths: string[];
  readonly requests: IncomingMessage[];
  readonly bucket: ServerBucket;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly script?: Script;
  /** Rows of every list. */
  readonly rows?: number;
  /** How many times as fast the bucket's time runs. */
  readonly speed?: number;
  /** Tokens that the bucket begins with. */
  readonly tokens?: number;
}

/** A stand-in for the API on a loopback port: keys, rate limit, overview and the lists over real HTTP. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { script, rows = 450, speed = 1, tokens } = options;
  const bucket = new ServerBucket(() => performance.now() * speed, tokens);
  const requests: IncomingMessage[] = [];
  const paths: string[] = [];
  const server = createServer((request, response): void => {
    requests.push(request);
    paths.push(request.url!);
    response.setHeader(headers.requestId, `r-${requests.length}`);
    response.setHeader(headers.version, API_VERSION);
    if (script && script(response, request, requests.length - 1) !== false) return;
    answer(request, response, bucket, rows);
  });
  const { url, close } = await listening(server);
  return { url, paths, requests, bucket, close };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  bucket: ServerBucket,
  rows: number,
): void {
  if (request.headers.authorization !== `Bearer ${KEY}`) {
    reply(response, 401, { error: 'Unauthorized' });
    return;
  }
  const { allowed, headers: stated } = bucket.take();
  response.setHeaders(new Map(Object.entries({ ...stated, [headers.keyKind]: 'full' })));
  if (!allowed) {
    reply(response, 429, { error: 'Rate limit exceeded' });
    return;
  }
  const url = new URL(request.url!, 'http://any');
  const name = url.pathname.replace('/api/v1/', '');
  const overview = { ...overviewBody, added_later: { by: 'a newer server' } };
  reply(response, 200, isList(name) ? listBody(name, rows, url.searchParams) : overview);
}

/** Sends JSON, or a text as it is. */
export function reply(response: ServerResponse, status: number, body: object | string, extra = {}): void {
  const text = typeof body === 'string';
  const type = text ? 'text/html' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, ...extra }).end(text ? body : JSON.stringify(body));
}
