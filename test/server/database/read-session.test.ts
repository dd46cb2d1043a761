import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import pg from 'pg';
import { waitingAlone } from '../../../src/server/base/audience.js';
import { openDatabase } from '../../../src/server/database/database.js';
import { cancelStatement, readPool } from '../../../src/server/database/read-session.js';
import { certificate } from '../../cli/support/certificate.js';
import { mutePostgres } from '../../support/mute-postgres.js';

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;

/** A server that notes the requests to cancel, and closes the connection as Postgres does. */
async function cancelServer(withTls: boolean, closes = true) {
  const requests: { secure: boolean; processID: number; secretKey: number }[] = [];
  const take = (socket: Socket, secure: boolean) =>
    socket.once('data', (data: Buffer) => {
      if (data.readInt32BE(4) === SSL_REQUEST) {
        if (!withTls) return void socket.write('N');
        socket.write('S');
        return void take(new TLSSocket(socket, { isServer: true, ...certificate }), true);
      }
      expect([data.length, data.readInt32BE(4)]).to.deep.equal([16, CANCEL_REQUEST]);
      requests.push({ secure, processID: data.readInt32BE(8), secretKey: data.readInt32BE(12) });
      if (closes) socket.end();
      return undefined;
    });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    take(socket, false);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { requests, server, port: (server.address() as AddressInfo).port };
}

/** A connection of the driver that has a statement running. */
function connectionTo(port: number, ssl: pg.ClientConfig['ssl']): pg.Client {
  const client = new pg.Client({ host: '127.0.0.1', port, ssl, user: 'u', database: 'd' });
  return Object.assign(client, { processID: 4711, secretKey: -12_345 });
}

describe('cancelStatement', () => {
  for (const [name, ssl] of [
    ['without encryption', false],
    ['with TLS', { rejectUnauthorized: false }],
  ] as const)
    it(`sends the secret of the connection ${name}, and resolves when the server has it`, async () => {
      const { requests, server, port } = await cancelServer(ssl !== false);
      expect(await cancelStatement(connectionTo(port, ssl))).to.equal(true);
      expect(requests).to.deep.equal([{ secure: ssl !== false, processID: 4711, secretKey: -12_345 }]);
      server.close();
    });

  it('resolves when the server cannot be reached, or does not speak TLS', async () => {
    expect(await cancelStatement(connectionTo(9, false))).to.equal(true);
    const { requests, server, port } = await cancelServer(false);
    expect(await cancelStatement(connectionTo(port, { rejectUnauthorized: false }))).to.equal(true);
    expect(requests).to.deep.equal([]);
    server.close();
  });

  it('tells that the request may still arrive, if the server does not take it in time', async () => {
    const { requests, server, port } = await cancelServer(false, false);
    expect(await cancelStatement(connectionTo(port, false), 1000)).to.equal(false);
    expect(requests).to.have.lengthOf(1);
    server.close();
  });
});

describe('a connection whose statement was to be cancelled', () => {
  it('is closed, and not used for another statement, if the server has not taken the request', async () => {
    // It takes a request to cancel for a new connection, and does not close it.
    const server = await mutePostgres();
    const database = await openDatabase({ url: server.url });
    try {
      const pool = readPool(database.knex, 0);
      const client = new AbortController();
      const used: pg.Client[] = [];
      database.knex.client.pool.on('acquireSuccess', (_: number, connection: pg.Client) =>
        used.push(connection),
      );
      const read = () =>
        pool.read(waitingAlone({ keyId: 'k', gone: client.signal }), async (db) => {
          await db.raw('select 1', {}).options({});
          server.fallSilent();
          setTimeout(() => client.abort(), 20);
          setTimeout(() => server.speak(), 200);
          return db.raw('select 2', {}).options({});
        });
      await read();
      await database.knex.raw('select 3');
      expect(used).to.have.lengthOf(3);
      expect(used[1]).to.equal(used[0]);
      expect(used[2]).not.to.equal(used[0]);
    } finally {
      await database.close();
      await server.close();
    }
  });
});
