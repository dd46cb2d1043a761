/** Failures of a connection before any byte of a request was sent. */

/** Codes of Node and undici, with the reason for the report. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  BAD_PORT: 'fetch blocks this port',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** The code if the request was provably not sent, else null. */
export function notSent(error: unknown): string | null {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown }; code?: unknown };
  if (cause?.message === 'bad port') return 'BAD_PORT';
  const stated = String(cause?.code ?? code ?? '');
  return Object.hasOwn(BEFORE_SENDING, stated) ? stated : null;
}

/** The reason of a code that `notSent` returned, for the report. */
export const reasonOf = (code: string): string => `${BEFORE_SENDING[code]} (${code})`;
