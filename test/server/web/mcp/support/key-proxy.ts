/** A proxy on a loopback port that adds a key, for clients that cannot be given one. */

import { createServer, request } from 'node:http';
import { listening } from '../../../../support/listening.js';

export interface KeyProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Passes everything on as it came, Host and Origin too, but for the key. */
export async function keyProxy(target: string, key: string): Promise<KeyProxy> {
  const { hostname: host, port } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request({
      host,
      port,
      method,
      path,
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  return listening(proxy);
}
