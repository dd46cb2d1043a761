import type { ServerConfig } from '../../../server/config.js';
import { type Check, failure, ok, warning } from '../check.js';

const TIMEOUT_MS = 7000;
/** Addresses that mean all of this machine; they cannot be connected to everywhere. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether a server answers on the address of these settings, and reaches its database. */
export async function checkListening({ host, port }: Pick<ServerConfig, 'host' | 'port'>): Promise<Check> {
  const name = ANY[host] ?? host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (status === 200) return ok('server', `A server answers on ${url}.`);
    return status === 503
      ? failure('server', `The server on ${url} cannot use its database.`, 'Look at its log.')
      : warning(
          'server',
          `Another program answers on ${url}, with status ${status}.`,
          'Choose another PORT.',
        );
  } catch {
    return warning('server', `No server answers on ${url}.`, 'Start it: svc serve');
  }
}
