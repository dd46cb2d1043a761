import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataFolderError, FolderInUseError } from '../../../src/server/database/data-folder.js';
import {
  DiskFullError,
  EmbeddedOpenError,
  type LastWords,
  listen,
  mayPass,
  openFailure,
  unavailableMessage,
} from '../../../src/server/database/failures.js';

const lastWordsOf = (...lines: string[]): LastWords => {
  const lastWords: LastWords = {};
  for (const line of lines) listen(lastWords, line);
  return lastWords;
};
const REPLAYED = '2026-11-23 05:09:53.031 UTC [42] LOG:  redo done at 0/1FFC7E0';
const FULL =
  '2026-11-23 05:09:53.069 UTC [42] FATAL:  could not write to file "pg_wal/xlogtemp.42": No space left on device';
const OTHER_VERSION = [
  '2026-11-23 06:48:09.555 UTC [42] FATAL:  database files are incompatible with server',
  '2026-11-23 06:48:09.555 UTC [42] DETAIL:  The data directory was initialized by PostgreSQL version 19.',
];
const BROKEN = '2026-11-23 05:09:53.069 UTC [42] PANIC:  could not locate a valid checkpoint record';

describe('an embedded database that cannot be opened', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-open-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('names the folder and the free space of its disk if that is full, however it says so', async () => {
    const failures = [
      openFailure(folder, new Error('PGlite failed to initialize properly'), lastWordsOf(REPLAYED, FULL)),
      // The WebAssembly file system throws an object with a number.
      openFailure(folder, { name: 'ErrnoError', errno: 51 }),
      openFailure(folder, new DataFolderError(folder, 'ENOSPC')),
    ];
    for (const failure of failures) {
      expect(failure).to.be.instanceOf(DiskFullError);
      expect(failure.message).to.match(/: no space is left on its disk\. Its disk has [\d.]+ [MG]iB free\. /);
      expect(failure.message).to.include(folder);
    }
  });

  it('states what Postgres said last, or else what was thrown', async () => {
    const said = openFailure(folder, new Error('PGlite failed'), lastWordsOf(REPLAYED, BROKEN));
    expect(said).to.be.instanceOf(EmbeddedOpenError).and.not.to.be.instanceOf(DiskFullError);
    expect(said.message).to.include(
      `in ${folder} cannot be opened: could not locate a valid checkpoint record.`,
    );
    const other = openFailure(folder, new Error('PGlite failed'), lastWordsOf(...OTHER_VERSION));
    expect(other.message).to.include(
      'incompatible with server. The data directory was initialized by PostgreSQL version 19. Its disk',
    );
    expect(openFailure(folder, new Error('thrown')).message).to.include('cannot be opened: thrown.');
    expect(openFailure('/nowhere/at/all', new Error('thrown')).message).to.match(/opened: thrown\.$/);
  });

  it('keeps the errors of the folder itself', async () => {
    const errors = [new DataFolderError(folder, 'EACCES'), new FolderInUseError(folder, 1)];
    for (const error of errors) expect(openFailure(folder, error)).to.equal(error);
    expect(openFailure('/data', { errno: 29 }).message).to.equal(
      'The data folder /data cannot be used (error 29).',
    );
  });
});

const words = (message: string, fields: object = {}) =>
  unavailableMessage(Object.assign(new Error(message), fields));

describe('the message for an unavailable database', () => {
  it('says that the database cannot be reached, with the reason but not the statement', () => {
    expect(words('connect ECONNREFUSED', { code: 'ECONNREFUSED' })).to.equal(
      'The database cannot be reached (ECONNREFUSED).',
    );
    expect(words('select a - b - Connection terminated unexpectedly')).to.equal(
      'The database cannot be reached (Connection terminated unexpectedly).',
    );
  });

  it('says which resource a reachable database lacks', () => {
    const hint = 'You might need to increase "max_locks_per_transaction".';
    expect(words('create table x - out of shared memory', { code: '53200', hint })).to.equal(
      `The database has no memory left (53200). ${hint}`,
    );
    const disk = ['53100', '58030'];
    const access = ['25006', '28000', '28P01', '3D000', '55000', '57P03'];
    for (const code of ['53000', '53300', '53400', '55P03', '57014', '40P01', '40001', ...disk, ...access]) {
      expect(words('insert into secrets - failed', { code }), code)
        .to.include(`(${code})`)
        .and.not.include('reached (')
        .and.not.include('insert');
    }
  });

  it('a refused log-in and a missing database do not pass by themselves', () => {
    const passes = (code: string) => mayPass(Object.assign(new Error(code), { code }));
    expect(['28P01', '28000', '3D000'].filter(passes)).to.deep.equal([]);
    expect(['53100', '57P03', 'ECONNREFUSED'].filter(passes)).to.have.length(3);
  });
});
