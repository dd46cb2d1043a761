import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDatabaseUrl, serverUrl } from '../../../support/database.js';
import { type Environment, svc } from '../../support/run.js';

const day = new Date().toISOString().slice(0, 10);
const records = [
  { type: 'workspace', id: 'w', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'b', workspace: 'w', name: 'Acme', domain: 'acme.invalid' },
  { type: 'prompt', id: 'p', brand: 'b', text: 'Which shoes?' },
  ...[1, 2, 3].map((place) => ({
    ...{ type: 'run', id: `r${place}`, brand: 'b', prompt: 'p', engine: 'chatgpt', region: 'us' },
    ...{ collected_at: `${day}T00:00:00.000Z`, mentions: [{ name: 'Acme', order: 1 }], citations: [] },
  })),
];

/** One sequence of tests on one database, because it takes time to open an embedded one. */
describe('svc admin needs', () => {
  let folder: string;
  let env: Environment;
  const needs = (...args: string[]) => svc(['admin', 'needs', ...args], env);
  const listed = async () => JSON.parse((await needs('list', '--json')).stdout);
  const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-needs-'));
    env = serverUrl ? { DATABASE_URL: await createDatabaseUrl(serverUrl) } : { SVC_DATA_DIR: folder };
    await svc(['admin', 'migrate'], env);
    const data = join(folder, 'data.ndjson');
    writeFileSync(data, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await svc(['admin', 'import', data], env);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('sets aside what list names, and brings it back', async () => {
    expect(ids((await listed()).needs)).to.include.members(['facts_stale', 'logs_silent']);
    const { code, stdout } = await needs('aside', 'facts_stale', '--reason', 'not_us');
    expect([code, stdout]).to.deep.equal([
      0,
      'Set aside: What answers say was never compared with the facts of the brand\n',
    ]);
    const { aside, needs: left } = await listed();
    expect(ids(left)).to.not.include('facts_stale');
    expect(aside).to.have.length(1);
    expect(aside[0]).to.include({ reason: 'not_us' });
    expect((await needs('list')).stdout).to.match(/facts_stale.*not_us/);
    expect((await needs('back', 'facts_stale', '--brand', 'b')).stdout).to.equal(
      'Need facts_stale is back.\n',
    );
    expect(ids((await listed()).needs)).to.include('facts_stale');
  });

  it('states the ids that there are, and exits with 5', async () => {
    const { code, stderr } = await needs('aside', 'nothing', '--reason', 'done');
    expect(code).to.equal(5);
    expect(stderr).to.contain('Unknown need: nothing.').and.contain('facts_stale');
    expect((await needs('back', 'facts_stale')).code).to.equal(5);
    expect((await needs('list', '--brand', 'nobody')).code).to.equal(5);
    expect((await needs('aside', 'facts_stale')).code).to.equal(2);
  });
});
