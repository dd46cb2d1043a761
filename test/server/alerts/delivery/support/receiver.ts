/** A receiver of webhooks on a loopback port, whose answers a test decides. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
  const one: Receiver = {
    url: '',
    received,
    answer: (response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(one, { url: `http://127.0.0.1:${port}/hook/path-that-is-secret` });
}
