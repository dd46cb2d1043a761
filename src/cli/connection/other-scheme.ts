import { AddressError } from '../failure/address-error.js';

/** OpenSSL's message for a server that does not speak TLS. */
const NO_TLS = /wrong version number|packet length too long|http request/;
/** Codes of the errors after a request by http to an https port. */
const NO_HTTP: readonly unknown[] = ['ECONNRESET', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT'];
/** Time limit of the test whether a port accepts https, in ms. */
const HANDSHAKE_MS = 3000;

/** The error for an address with the wrong scheme; undefined: the connection failed for another reason. */
export async function otherScheme(
  url: URL,
  failure: NodeJS.ErrnoException,
): Promise<AddressError | undefined> {
  if (url.protocol === 'https:') return NO_TLS.test(failure.message) ? wrongScheme(url, 'http') : undefined;
  return NO_HTTP.includes(failure.code) && (await speaksTls(url)) ? wrongScheme(url, 'https') : undefined;
}

/** The error for a server that expects the other scheme, with the address to use instead. */
export function wrongScheme({ protocol, host }: URL, other: 'http' | 'https'): AddressError {
  const address = `${other}://${host}`;
  return new AddressError(
    'network',
    `${host} does not speak ${protocol.slice(0, -1)} but ${other}.`,
    address,
  );
}

/** Whether a TLS handshake succeeds; nothing is sent. */
export async function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const { connect } = await import('node:tls');
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const wanted = { host, port: Number(port || 80), rejectUnauthorized: false, timeout: HANDSHAKE_MS };
    const socket = connect(wanted);
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
