/** Listening on an address: the one place that says why it cannot be had. */
import { createServer, type Server } from 'node:net';

/** The address or port cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** @throws ListenError */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });
}

/**
 * Finds out whether a port can be listened on, before the work that a server does first.
 * @throws ListenError
 */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise((resolve) => probe.close(resolve));
}

function listenError(
  { code = 'unknown reason' }: NodeJS.ErrnoException,
  port: number,
  host: string,
): ListenError {
  const words: { readonly [code: string]: string } = {
    EADDRINUSE: `Port ${port} is in use. Choose another with --port.`,
    EACCES: `Port ${port} of ${host} may not be used by this user (EACCES). Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `Cannot listen on ${host}: it is no address of this machine (EADDRNOTAVAIL). ${ADVICE}`,
    EAFNOSUPPORT: `Cannot listen on ${host}: this machine has no such kind of address (EAFNOSUPPORT). ${ADVICE}`,
    ENOTFOUND: `Cannot listen on ${host}: no host has this name (ENOTFOUND). ${ADVICE}`,
    EAI_AGAIN: `Cannot listen on ${host}: the name cannot be looked up (EAI_AGAIN). ${ADVICE}`,
  };
  return new ListenError(words[code] ?? `Cannot listen on ${host}, port ${port} (${code}).`);
}

const ADVICE = 'Give an address of this machine with --host or HOST; 0.0.0.0 is all of them.';
