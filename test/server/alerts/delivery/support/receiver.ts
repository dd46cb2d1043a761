/** A receiver of webhooks on a loopback port, whose answers a test decides. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../../../../support/listening.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers requests from now on; at first with 204. */
  answer: (response: ServerResponse, request: Received) => void;
  /** Resolves when so many requests have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function receiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const one: Omit<Receiver, 'url' | 'close'> = {
    received,
    answer: (response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const arrived = { path: request.url ?? '', headers: request.headers, body };
    received.push(arrived);
    one.answer(response, arrived);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  });
  const { url, close } = await listening(server);
  return Object.assign(one, { url: `${url}/hook/path-that-is-secret`, close });
}
