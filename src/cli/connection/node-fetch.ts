import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { addressBehind } from './address.js';
import { AddressError } from './address-error.js';
import { otherScheme } from './other-scheme.js';

const MOST_REDIRECTS = 5;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
/** Those that let a POST be sent again as it is; after the others it would arrive as a GET, which is another question. */
const faithful: readonly number[] = [307, 308];

interface Question {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal | undefined;
  /** Sent by POST; undefined: a GET. */
  readonly body: Uint8Array | string | undefined;
}

/**
 * GET and POST by node:http, in the shape of fetch as far as the SDK uses it. Node's own fetch costs a short command more time
 * than everything else it does: it loads a whole HTTP client and compiles its WebAssembly.
 * @param userAgent Names the program to the server.
 */
export const nodeFetchAs =
  (userAgent: string): typeof globalThis.fetch =>
  async (input, init) => {
    const question = await questionOf(input, init);
    const named = { 'User-Agent': userAgent, ...question.headers };
    const response = await follow({ ...question, headers: named }, MOST_REDIRECTS);
    const { statusCode: status = 0, headers } = response;
    const get = (name: string) => headers[name.toLowerCase()]?.toString() ?? null;
    const answer = {
      status,
      ok: status >= 200 && status < 300,
      headers: { get },
      text: () => text(response),
    };
    // The real Response would load the client that this module avoids.
    return answer as unknown as Response;
  };

async function questionOf(input: string | URL | Request, init: RequestInit | undefined): Promise<Question> {
  const asked = input instanceof URL || typeof input === 'string' ? { url: input, ...init } : input;
  const given = (asked.headers ?? {}) as Iterable<[string, string]> | { readonly [name: string]: string };
  const headers = Symbol.iterator in given ? Object.fromEntries(given) : given;
  const body = 'text' in asked ? await bodyOf(asked) : (init?.body as Question['body']);
  return { url: new URL(asked.url), headers, signal: asked.signal ?? undefined, body };
}

const bodyOf = async (request: Request): Promise<Question['body']> =>
  request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : undefined;

async function follow(question: Question, left: number): Promise<IncomingMessage> {
  const response = await send(question);
  const { location } = response.headers;
  const followed = question.body === undefined ? redirects : faithful;
  if (!redirects.includes(response.statusCode ?? 0) || location === undefined) return response;
  const url = new URL(location, question.url);
  // The key is for the server that it was given for, not for where that server points.
  if (url.origin !== question.url.origin) {
    response.resume();
    const behind = addressBehind(url);
    throw new AddressError('usage', `${question.url.origin} redirects to another server, ${behind}.`, behind);
  }
  if (!followed.includes(response.statusCode ?? 0)) return response;
  response.resume();
  if (left === 0) throw new Error('redirected too often');
  return follow({ ...question, url }, left - 1);
}

async function send({ url, headers, signal, body }: Question): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options: RequestOptions = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...length },
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest = client.request(url, options, resolve);
    request.on('error', (error) => otherScheme(url, error).then((other) => reject(other ?? error), reject));
    request.end(body);
  });
}
