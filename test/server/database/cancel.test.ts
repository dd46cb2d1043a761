import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import pg from 'pg';
import { cancelStatement } from '../../../src/server/database/cancel.js';
import { certificate } from '../../cli/support/certificate.js';

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;

/** A server that notes the requests to cancel, and closes the connection as Postgres does. */
async function cancelServer(withTls: boolean) {
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
      return void socket.end();
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
      await cancelStatement(connectionTo(port, ssl));
      expect(requests).to.deep.equal([{ secure: ssl !== false, processID: 4711, secretKey: -12_345 }]);
      server.close();
    });

  it('resolves when the server cannot be reached, or does not speak TLS', async () => {
    await cancelStatement(connectionTo(9, false));
    const { requests, server, port } = await cancelServer(false);
    await cancelStatement(connectionTo(port, { rejectUnauthorized: false }));
    expect(requests).to.deep.equal([]);
    server.close();
  });
});
