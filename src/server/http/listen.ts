/** Listens on an address, and explains why that fails. */
import { createServer, type Server } from 'node:net';

/** The server cannot listen on the address or port. */
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
 * Checks that the server can listen on a port, before it does any other work.
 * @returns the port: a free one if it was 0.
 * @throws ListenError
 */
export async function requireFreePort(port: number, host: string): Promise<number> {
  const probe = createServer();
  await listen(probe, port, host);
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : port;
}

function listenError(
  { code = 'unknown reason' }: NodeJS.ErrnoException,
  port: number,
  host: string,
): ListenError {
  const messages: { readonly [code: string]: string } = {
    EADDRINUSE: `Port ${port} is in use. Choose another with --port.`,
    EACCES: `Port ${port} of ${host} may not be used by this user (EACCES). Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `Cannot listen on ${host}: this machine has no such address (EADDRNOTAVAIL). ${ADVICE}`,
    EAFNOSUPPORT: `Cannot listen on ${host}: this machine has no such kind of address (EAFNOSUPPORT). ${ADVICE}`,
    ENOTFOUND: `Cannot listen on ${host}: no host has this name (ENOTFOUND). ${ADVICE}`,
    EAI_AGAIN: `Cannot listen on ${host}: the name cannot be looked up (EAI_AGAIN). ${ADVICE}`,
  };
  return new ListenError(messages[code] ?? `Cannot listen on ${host}, port ${port} (${code}).`);
}

const ADVICE = 'Give an address of this machine with --host or HOST; 0.0.0.0 is all of them.';
