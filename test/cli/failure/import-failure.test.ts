import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CommandError } from '../../../src/cli/command-error.js';
import { bytesOf, importFailure } from '../../../src/cli/failure/import-failure.js';

async function thrownBy(work: () => Promise<unknown>): Promise<CommandError> {
  const error = await work().catch((thrown: unknown) => thrown);
  expect(error).to.be.instanceOf(CommandError);
  return error as CommandError;
}

describe('the failure of an import', () => {
  it('is of the database, with exit code 7, if the connection to it is cut', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('query');
    const [cut] = await once(socket, 'error');
    server.close();
    // The system call of a file has the same name.
    expect(cut).to.include({ code: 'ECONNRESET', syscall: 'read' });
    const failure = (await importFailure('data.ndjson', cut)) as CommandError;
    expect(failure).to.include({ exitCode: 7, retryable: true });
    expect(failure.message).to.equal(
      'data.ndjson: nothing was imported\nThe database cannot be reached (ECONNRESET).',
    );
  });

  it('is of the file, with exit code 2, if that cannot be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-import-'));
    try {
      for (const [file, reason] of [
        [folder, `${folder} is a folder; name its files.`],
        [join(folder, 'gone'), `${join(folder, 'gone')} cannot be read (ENOENT).`],
      ] as const) {
        const failure = await thrownBy(() => bytesOf(file).next());
        expect([failure.exitCode, failure.message]).to.deep.equal([2, reason]);
        expect(await importFailure(file, failure)).to.equal(failure);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
