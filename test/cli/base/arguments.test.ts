import { expect } from 'chai';
import { commandFirst } from '../../../src/cli/base/unknown-command.js';
import { KEYS } from '../support/fake-server.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

const ordered: readonly (readonly [typed: string, taken: string])[] = [
  ['overview --profile work', 'overview --profile work'],
  ['--profile work overview', 'overview --profile work'],
  ['--url=http://h -q --json tools call t --arg a=b', 'tools call t --url=http://h -q --json --arg a=b'],
  ['--data-dir /d admin keys list', 'admin keys list --data-dir /d'],
  ['--key-file k ingest -- -odd', 'ingest --key-file k -- -odd'],
  ['--unknown overview', '--unknown overview'],
  ['--profile work', '--profile work'],
  ['--json', '--json'],
  ['-v', '-v'],
  ['version', '--version'],
  ['version x', 'version x'],
  ['help sources', 'sources --help'],
  ['help', '--help'],
  ['--profile work help sources', 'sources --help'],
  ['', ''],
];

describe('arguments', () => {
  const words = (text: string) => text.split(' ').filter(Boolean);
  for (const [typed, taken] of ordered) {
    it(`follow the command: svc ${typed}`, async () => {
      expect(await commandFirst(words(typed))).to.deep.equal(words(taken));
    });
  }
});

describe('global flags', () => {
  const now = session();

  it('work before and after a command', async () => {
    const env = { ...now.home.env, SVC_API_KEY: KEYS.full };
    const before = await svc(['--url', now.server.url, '--json', 'overview'], env);
    const behind = await svc(['overview', '--json', '--url', now.server.url], env);
    expect(before).to.deep.equal(behind);
    expect(before.code).to.equal(0);
  });
});
