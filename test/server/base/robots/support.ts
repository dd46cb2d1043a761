/** A site on a loopback port whose robots.txt, redirects and manners a test decides. */

import { createServer, type RequestListener, type Server } from 'node:http';
import { listening } from '../../../support/listening.js';

export interface Site {
  /** host:port */
  readonly domain: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function site(
  listener: RequestListener,
  create = (on: RequestListener): Server => createServer(on),
): Promise<Site> {
  const asked: string[] = [];
  const server = create((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  const { host: domain, close } = await listening(server);
  return { domain, asked, close };
}

/** A site that answers every request alike. */
export const answering = (status: number, body = '', headers: Record<string, string> = {}): Promise<Site> =>
  site((_, response) => response.writeHead(status, headers).end(body));
