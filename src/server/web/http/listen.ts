/** Listens on an address, and explains why that fails. */

import { createServer, type Server } from 'node:net';
import { ExpectedError } from '../../../contract/failure.js';

/** The settings of an address, for messages. */
interface Names {
  readonly port: string;
  readonly host: string;
}

const FLAGS: Names = { port: '--port', host: '--host or HOST' };

/** @throws ExpectedError `unexpected` with advice */
export function listen(server: Server, port: number, host: string, names = FLAGS): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, host, names)));
    server.listen(port, host, resolve);
  });
}

/**
 * Checks that the server can listen on a port, before it does any other work.
 * @returns the port: a free one if it was 0.
 * @throws ExpectedError `unexpected` with advice
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
  names: Names,
): ExpectedError {
  const advice = `Give an address of this machine with ${names.host}; 0.0.0.0 is all of them.`;
  const messages: { readonly [code: string]: string } = {
    EADDRINUSE: `Port ${port} is in use. Choose another with ${names.port}.`,
    EACCES: `Port ${port} of ${host} may not be used by this user (EACCES). Choose one above 1023 with ${names.port}.`,
    EADDRNOTAVAIL: `Cannot listen on ${host}: this machine has no such address (EADDRNOTAVAIL). ${advice}`,
    EAFNOSUPPORT: `Cannot listen on ${host}: this machine has no such kind of address (EAFNOSUPPORT). ${advice}`,
    ENOTFOUND: `Cannot listen on ${host}: no host has this name (ENOTFOUND). ${advice}`,
    EAI_AGAIN: `Cannot listen on ${host}: the name cannot be looked up (EAI_AGAIN). ${advice}`,
  };
  return new ExpectedError(
    'unexpected',
    messages[code] ?? `Cannot listen on ${host}, port ${port} (${code}).`,
  );
}
