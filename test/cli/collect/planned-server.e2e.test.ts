import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importByCommand } from '../../../src/cli/collect/planned-server.js';
import { failureKindOf } from '../../../src/contract/failure.js';
import { serverUrl } from '../../support/database.js';
import { builtEntry } from '../support/built.js';
import { migratedDatabase } from '../support/migrated-database.js';
import { svc } from '../support/run.js';

describe('an import by a process of its own', () => {
  const [, program] = process.argv;
  let folder: string;
  before(async function () {
    if (serverUrl) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'svc-import-'));
    await migratedDatabase(folder);
  });
  beforeEach(() => {
    process.argv[1] = builtEntry();
  });
  afterEach(() => {
    process.argv[1] = program!;
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  const imported = (text: string) => {
    const file = join(folder, 'runs.ndjson');
    writeFileSync(file, text);
    return importByCommand(file, join(folder, 'data'));
  };
  const failure = async (work: Promise<void>) => {
    const error = await work.then(
      () => new Error('it succeeded'),
      (reason: Error) => reason,
    );
    return { kind: failureKindOf(error), message: error.message };
  };

  it('stores the records of the file', async () => {
    await imported('{"type":"workspace","id":"acme","name":"Acme","plan":"growth"}\n');
    const { stdout } = await svc(['admin', 'workspaces', 'list', '--data-dir', folder], {});
    expect(stdout).to.include('acme');
  });

  it('fails as the command does', async () => {
    const { kind, message } = await failure(imported('{"type":"workspace"}\n'));
    expect(kind).to.equal('unexpected');
    expect(message).to.include('runs.ndjson: nothing was imported');
    const missing = join(folder, 'none.ndjson');
    expect(await failure(importByCommand(missing, join(folder, 'data')))).to.deep.equal({
      kind: 'usage',
      message: `${missing} cannot be read (ENOENT).`,
    });
  });

  it('names the end of a process that says nothing', async () => {
    process.argv[1] = join(folder, 'none.js');
    expect(await failure(imported(''))).to.deep.equal({
      kind: 'unexpected',
      message: 'The process that imports ended by exit code 1.',
    });
  });
});
