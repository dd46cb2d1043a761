/** Ends the running statement of a connection. */
import pg from 'pg';
import { isEmbedded } from './copy.js';

/** Properties of the driver's clients that their published type does not have. */
interface Inside {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
  readonly connectionParameters: pg.ClientConfig;
  readonly connection: {
    connect(port: number | string, host?: string): void;
    cancel(processID: number, secretKey: number): void;
    requestSsl(): void;
    readonly ssl: unknown;
    readonly sslNegotiation?: string;
    once(event: string, listener: () => void): void;
    on(event: 'error', listener: () => void): void;
    readonly stream: {
      setTimeout(ms: number, late: () => void): void;
      destroy(): void;
      readonly destroyed: boolean;
    };
  };
}

const inside = (client: pg.Client): Inside => client as unknown as Inside;

/** How long the server may take to accept the request. */
const PATIENCE_MS = 5000;

/**
 * Asks the server to cancel the statement that the connection runs. The request has the secret of the connection. `pg_cancel_backend` would need only its process id, which behind a pooler
 * or a balancer may be that of another server's process. The embedded database finishes its statement.
 * @returns whether the request is done with. Otherwise it may still arrive, and cancel whatever the connection runs then.
 */
export function cancelStatement(running: pg.Client, patienceMs = PATIENCE_MS): Promise<boolean> {
  if (isEmbedded(running)) return Promise.resolve(true);
  const { processID, secretKey, host, port, connectionParameters } = inside(running);
  const { connection } = inside(new pg.Client(connectionParameters));
  return new Promise((resolve) => {
    let isDone = true;
    let isAsked = false;
    const giveUp = (): void => {
      isDone = !isAsked;
      connection.stream.destroy();
    };
    connection.once('end', () => resolve(isDone));
    connection.on('error', giveUp);
    // The server closes the connection when it has sent the signal.
    const ask = (): void => {
      isAsked = true;
      connection.cancel(processID, secretKey);
    };
    connection.once('sslconnect', ask);
    connection.once('connect', () => {
      if (!connection.ssl) ask();
      else if (connection.sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.stream.setTimeout(patienceMs, giveUp);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

/** Closes a connection at once, also if its server is frozen. The pool does not use it again. */
export function closeConnection(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    const { stream } = inside(client).connection;
    if (stream.destroyed) return resolve();
    client.once('end', resolve);
    stream.destroy();
  });
}
