import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { INGEST_LIMITS } from '../../src/contract/limits.js';
import { readConfig } from '../../src/server/run/config.js';
import { GRACE_MS } from '../../src/server/run/main.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the configurations in deploy', () => {
  it('nginx passes bodies as large as the server takes, and the address of the client', () => {
    const text = read('deploy/nginx.conf');
    const [, mebibytes] = /client_max_body_size (\d+)m;/.exec(text) ?? [];
    expect(Number(mebibytes) * 1024 ** 2).to.be.greaterThan(INGEST_LIMITS.bodyBytes);
    expect(text).to.contain('X-Forwarded-For $proxy_add_x_forwarded_for;');
  });

  it('both proxies lead to the default address of the server', () => {
    const { host, port } = readConfig({});
    for (const file of ['deploy/nginx.conf', 'deploy/Caddyfile'])
      expect(read(file), file).to.contain(`${host}:${port}`);
  });

  it('systemd gives the server time to finish its requests', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/svc.service')) ?? [];
    expect(Number(seconds) * 1000).to.be.at.least(2 * GRACE_MS);
  });

  it('the unit is valid for systemd', function () {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'svc-unit-'));
    const program = join(folder, 'svc');
    mkdirSync(join(folder, 'units'));
    copyFileSync('/bin/sh', program);
    const unit = join(folder, 'units', 'svc.service');
    writeFileSync(unit, read('deploy/svc.service').replace(/^ExecStart=\S+/m, `ExecStart=${program}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    const ours = stderr.split('\n').filter((line) => line.includes(folder) || line.startsWith('svc.service'));
    expect([status, ours]).to.deep.equal([0, []]);
  });
});
