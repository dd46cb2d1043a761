import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { installedBinaries } from '../../scripts/support/postgres-server.mjs';
import { embeddedFolder, openDatabase } from '../../src/server/database/database.js';
import { importDataset } from '../../src/server/intake/dataset/import.js';
import { builtEntry, SHORT_LIVED } from '../cli/support/built.js';
import { migratedDatabase } from '../cli/support/migrated-database.js';
import { records } from '../rules/support/records.js';
import { citusWorkers, urlOf } from '../support/citus.js';
import { serverUrl } from '../support/database.js';
import { bytesOf } from '../support/server.js';

const root = join(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'docs/operating.md'), 'utf8');

/** The commands of the console blocks of a section, in order. */
function commandsOf(heading: string): string[] {
  const [, section = ''] =
    new RegExp(`^## ${heading}\\n(.*?)(?=^## |(?![\\s\\S]))`, 'ms').exec(document) ?? [];
  const blocks = [...section.matchAll(/^```console\n(.*?)^```/gms)].map(([, block]) => block!);
  return blocks.flatMap((block) => [...block.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command!));
}

const tools = installedBinaries(['pg_dump', 'pg_restore', 'createdb']);
const ofEmbedded = /tar |mkdir|DATA_DIR/;

describe('the documented backup, restore and upgrade', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  const env: Record<string, string> = {};
  let location: Parameters<typeof openDatabase>[0];

  before(async function () {
    if (serverUrl && (!tools || citusWorkers.length > 0)) return this.skip();
    const settings = await migratedDatabase(join(folder, 'data-dir'));
    const name = `svc_restored_${process.pid}_${Date.now()}`;
    if (serverUrl)
      Object.assign(env, {
        NEW_DATABASE: name,
        NEW_DATABASE_URL: urlOf(serverUrl, name),
        ADMIN_DATABASE_URL: serverUrl,
        SERVER_ROLE: new URL(serverUrl).username || userInfo().username,
      });
    else env.NEW_DATA_DIR = join(folder, 'new');
    Object.assign(env, settings);
    location = serverUrl
      ? { url: settings.DATABASE_URL! }
      : { folder: embeddedFolder(settings.SVC_DATA_DIR!, 'data') };
    const database = await openDatabase(location);
    await importDataset(database.knex, bytesOf(records), { now: new Date() });
    await database.close();
    writeFileSync(
      join(folder, 'svc'),
      `#!/bin/sh\nexec "${process.execPath}" ${SHORT_LIVED.join(' ')} "${builtEntry()}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    return undefined;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a command as it is written; its output. */
  async function run(command: string): Promise<string> {
    const path = [folder, tools, dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter);
    const home = {
      XDG_CONFIG_HOME: folder,
      API_ACCESS_KEY: 'an-operator-key-that-is-long-enough',
      PORT: '9',
    };
    const child = spawn('bash', ['-c', command], { cwd: folder, env: { PATH: path, ...home, ...env } });
    const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    expect(code, `${command}\n${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  it('run as they are written, and the restored database has the data', async () => {
    let output = '';
    for (const heading of ['Back up', 'Restore', 'Upgrade']) {
      const commands = commandsOf(heading);
      expect(commands.length, heading).to.be.at.least(2);
      const own = commands.filter(
        (command) => heading === 'Upgrade' || ofEmbedded.test(command) === (serverUrl === undefined),
      );
      expect(own.length, heading).to.be.at.least(1);
      for (const command of own) {
        output = await run(command);
        if (command.startsWith('svc admin brands list')) expect(output).to.contain('Brand foreign');
      }
    }
    expect(output).to.match(/days rebuilt/);
  });
});

describe('the documented installation', () => {
  it('names files that exist', () => {
    for (const [path] of document.matchAll(/(?<!test\/)\bdeploy\/[\w.-]+\w/g))
      expect(existsSync(join(root, path)), path).to.equal(true);
  });
});
