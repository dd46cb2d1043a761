import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  DatabaseCopy,
  deletePrevious,
  replaceDatabase,
  restoreDatabase,
  settleDatabase,
} from '../../../src/server/database/folder-copies.js';

describe('copies of an embedded database', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const make = (name: string, content: string) => {
    mkdirSync(at(name));
    writeFileSync(join(at(name), 'PG_VERSION'), content);
  };
  const content = (name: string) => readFileSync(join(at(name), 'PG_VERSION'), 'utf8');
  const copied = async () => {
    const copy = new DatabaseCopy(folder, 1);
    await copy.begin();
    await copy.update();
    return copy;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-copies-'));
    make('postgres', 'old');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are for the user only, and of the same files', async () => {
    const { path: copy } = await copied();
    expect(content('postgres.copy.1')).to.equal('old');
    expect(copy).to.equal(at('postgres.copy.1'));
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).to.equal(0o700);
    writeFileSync(join(copy, 'PG_VERSION'), 'new');
    expect(content('postgres')).to.equal('old');
  });

  it('have every folder and file, with the same rights', async () => {
    const deep = at('postgres/base/1/2');
    mkdirSync(deep, { recursive: true });
    mkdirSync(at('postgres/empty'), { mode: 0o750 });
    for (let file = 0; file < 5; file++)
      writeFileSync(join(deep, `${file}`), `${file}`, { mode: file % 2 ? 0o600 : 0o640 });
    const { path: copy } = await copied();
    const listed = (root: string) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => [name, statSync(join(root, name)).mode, statSync(join(root, name)).size]);
    expect(listed(copy)).to.deep.equal(listed(at('postgres')));
    expect(readFileSync(join(copy, 'base/1/2/4'), 'utf8')).to.equal('4');
  });

  it('have what changed while they were made after one more update, which copies nothing else', async () => {
    const of = (root: string) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(root, name)).isFile())
        .sort()
        .map((name) => [name, readFileSync(join(root, name), 'utf8')]);
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of ['same', 'changed', 'deleted']) {
      writeFileSync(at(`postgres/${name}`), 'before');
      utimesSync(at(`postgres/${name}`), longAgo, longAgo);
    }
    utimesSync(at('postgres/PG_VERSION'), longAgo, longAgo);
    const copy = await copied();
    // Of the same length, at a time that some file systems cannot tell from that before.
    writeFileSync(at('postgres/changed'), 'after!');
    rmSync(at('postgres/deleted'));
    mkdirSync(at('postgres/base'));
    writeFileSync(at('postgres/base/new'), 'new');
    expect(await copy.update()).to.equal('after!'.length + 'new'.length);
    expect(of(copy.path)).to.deep.equal(of(at('postgres')));
    writeFileSync(at('postgres/base/new'), 'NEW');
    await copy.update();
    expect(of(copy.path)).to.deep.equal(of(at('postgres')));
  });

  it('replace the database, which can be taken back', async () => {
    const change = async () => writeFileSync(join((await copied()).path, 'PG_VERSION'), 'new');
    await change();
    await replaceDatabase(folder, at('postgres.copy.1'));
    expect([content('postgres'), content('postgres.previous')]).to.deep.equal(['new', 'old']);
    await restoreDatabase(folder);
    expect(content('postgres')).to.equal('old');
    await deletePrevious(folder);
    expect(readdirSync(folder)).to.deep.equal(['postgres']);
  });

  it('replace the database after a replacement that failed, whatever it left', async () => {
    make('postgres.next', 'failed');
    make('postgres.previous', 'older');
    make('postgres.copy.1', 'new');
    await replaceDatabase(folder, at('postgres.copy.1'));
    expect([content('postgres'), content('postgres.previous')]).to.deep.equal(['new', 'old']);
  });

  it('replace it whole or not at all, wherever a process is killed', async () => {
    const states: Record<string, string> = {};
    // The steps of `replaceDatabase`.
    const steps = [
      ['postgres.copy.1', 'postgres.next'],
      ['postgres', 'postgres.previous'],
      ['postgres.next', 'postgres'],
    ] as const;
    for (let done = 0; done <= steps.length; done++) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      make('postgres', 'old');
      make('postgres.copy.1', 'new');
      make('postgres.copy.2', 'another');
      for (const [from, to] of steps.slice(0, done)) await rename(at(from), at(to));
      await settleDatabase(folder);
      expect(readdirSync(folder)).to.deep.equal(['postgres']);
      states[done] = content('postgres');
    }
    expect(states).to.deep.equal({ 0: 'old', 1: 'old', 2: 'new', 3: 'new' });
  });

  it('leave a folder without a database as it is', async () => {
    rmSync(at('postgres'), { recursive: true });
    make('postgres.new', 'half');
    await settleDatabase(folder);
    expect(existsSync(at('postgres'))).to.equal(false);
    expect(content('postgres.new')).to.equal('half');
  });
});
