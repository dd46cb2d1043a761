/** Serves /metrics on a port of its own, which is not meant for users of the API. */
import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import prometheus from 'prom-client';
import { listen } from '../http/listen.js';
import type { Logger } from '../log.js';

export interface AdminAddress {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
}

export interface AdminServer {
  /** The address of the metrics. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param metrics Returns the text of all metrics.
 * @throws ListenError
 */
export async function startAdminServer(
  { port, host }: AdminAddress,
  metrics: () => Promise<string>,
  log: Logger,
): Promise<AdminServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') return void response.writeHead(404).end('Only /metrics is here.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    try {
      const text = await metrics();
      response.writeHead(200, { 'Content-Type': prometheus.Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be collected');
      response.writeHead(503).end('The metrics could not be collected.\n');
    }
  });
  await listen(server, port, host, { port: 'ADMIN_PORT', host: 'ADMIN_HOST' });
  const address = server.address();
  const used = typeof address === 'object' && address ? address.port : port;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${used}/metrics`;
  log.info({ url }, 'metrics are served');
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
