import { connect, type TLSSocket } from 'node:tls';
import { counted } from '../render/view.js';
import { type Check, failure, ok, warning } from './check.js';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** A certificate that ends sooner should have been renewed. */
const SOON_DAYS = 14;

/** Checks the certificate of an https address. Null: it is http, or no handshake took place. */
export async function checkTls(url: string, now: number): Promise<Check | null> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return null;
  const socket = await handshake(hostname.replace(/^\[|\]$/g, ''), Number(port || 443));
  if (!socket) return null;
  const { valid_to: end } = socket.getPeerCertificate();
  const { authorized, authorizationError } = socket;
  const version = socket.getProtocol();
  socket.destroy();
  if (!authorized) return refused(String(authorizationError));
  const days = Math.floor((Date.parse(end) - now) / DAY_MS);
  const until = `${version}; the certificate is valid until ${new Date(end).toISOString().slice(0, 10)}`;
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return warning(
      'tls',
      `${until}, but NODE_TLS_REJECT_UNAUTHORIZED=0 accepts any.`,
      'Unset NODE_TLS_REJECT_UNAUTHORIZED.',
    );
  return days < SOON_DAYS
    ? warning('tls', `${until}, ${counted(days, 'more day')}.`, 'Renew the certificate of the server.')
    : ok('tls', `${until}.`);
}

function refused(reason: string): Check {
  const remedy = /EXPIRED/.test(reason)
    ? 'Renew the certificate of the server, or correct the clock of this machine.'
    : /ALTNAME/.test(reason)
      ? 'Use an address that the certificate names.'
      : 'If you trust its issuer: NODE_EXTRA_CA_CERTS=issuer.pem in the environment of svc.';
  return failure('tls', `The certificate is refused (${reason}).`, remedy);
}

/** A socket after the handshake; undefined: there was none. */
const handshake = (host: string, port: number): Promise<TLSSocket | undefined> =>
  new Promise((resolve) => {
    const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', fail);
    socket.once('timeout', fail);
  });
