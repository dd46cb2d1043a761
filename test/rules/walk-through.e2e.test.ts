import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { serverSettings } from '../../scripts/support/server-settings.js';
import { createLog } from '../../src/server/base/log.js';
import type { RunningServer } from '../../src/server/run/main.js';
import { ruleServer } from './support/rule-server.js';

const project = join(import.meta.dirname, '../..');
const guide = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');
/** Each file of the example: new ones as a whole, others as the lines that are added. */
const files = [...guide.matchAll(/^`(src\/\S+)`:\n\n```(ts|diff)\n(.*?)^```/gms)].map(
  ([, path, kind, text]) => ({ path: path!, isNew: kind === 'ts', text: text! }),
);

/** The text with the changes of a diff, whose other lines say where they belong. */
function changed(text: string, diff: string): string {
  const lines = text.split('\n');
  let at = 0;
  for (const line of diff.trimEnd().split('\n')) {
    const [mark, rest] = [line[0], line.slice(1)];
    if (mark === '+') lines.splice(at++, 0, rest);
    else {
      const found = lines.indexOf(rest, at);
      expect(found, `the line of the example: ${rest}`).to.be.at.least(0);
      if (mark === '-') lines.splice(found, 1);
      at = mark === '-' ? found : found + 1;
    }
  }
  return lines.join('\n');
}

describe('rule: the example of CONTRIBUTING.md works as it is written', () => {
  const server = ruleServer();
  const copy = mkdtempSync(join(tmpdir(), 'svc-example-'));
  after(() => rmSync(copy, { recursive: true, force: true }));
  before(() => {
    for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json'])
      cpSync(join(project, part), join(copy, part), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    for (const { path, isNew, text } of files) {
      const target = join(copy, path);
      writeFileSync(target, isNew ? text : changed(readFileSync(target, 'utf8'), text));
    }
  });

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    expect(status, stdout + stderr).to.equal(0);
  };

  it('has the files and the lines that the tables count', () => {
    expect(files.filter(({ isNew }) => isNew)).to.have.length(3);
    const diffs = files.filter(({ isNew }) => !isNew).map(({ text }) => text);
    expect(diffs.join('').match(/^\+/gm)).to.have.length(3);
    expect(diffs).to.have.length(2);
  });

  it('compiles', function () {
    this.timeout(600_000);
    const derived = ['src/sdk/types.ts', 'src/sdk/client.ts'];
    run('--import', './scripts/support/typescript.mjs', 'scripts/generate/generate.ts', ...derived);
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    run(join(dirname(typescript), 'bin', 'tsc'), '-p', 'tsconfig.json', '--noEmit', '--singleThreaded');
  });

  it('responds over REST and MCP', async () => {
    const module = pathToFileURL(join(copy, 'src/server/run/main.ts')).href;
    const { startServer }: typeof import('../../src/server/run/main.js') = await import(module);
    const operatorKey = 'operator-key-of-the-example-0123456789';
    const log = createLog('silent');
    const running: RunningServer = await startServer(serverSettings(operatorKey), server.database, { log });
    const headers = { Authorization: `Bearer ${operatorKey}` };
    const path = '/api/v1/collected-days?brand=';
    const read = async (id: string) => (await fetch(running.url + path + id, { headers })).json();
    expect(await read('first')).to.include({ last_day: '2026-11-17', note: null });
    expect(await read('uncollected')).to.deep.include({ days: 0, first_day: null, last_day: null });
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'get_collected_days', arguments: { brand_id: 'first' } },
    });
    const called = await fetch(`${running.url}/api/mcp`, { method: 'POST', headers, body });
    expect(await called.text()).to.contain('first_day');
    await running.close();
  });
});
