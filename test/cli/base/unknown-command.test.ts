import { expect } from 'chai';
import { commandFirst } from '../../../src/cli/base/unknown-command.js';
import { errors } from '../../../src/contract/errors.js';
import { KEYS } from '../support/fake-server.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

const refused: readonly { args: readonly string[]; says: string }[] = [
  { args: ['sorces'], says: 'Unknown command: sorces. Did you mean svc sources?' },
  { args: ['histroy', 'visibility'], says: 'Did you mean svc history?' },
  { args: ['histroy', 'visibility', '--days', '7'], says: 'Did you mean svc history?' },
  { args: ['keys', 'list'], says: 'Unknown command: keys list. Did you mean svc admin keys list?' },
  { args: ['key', 'create', '--kind', 'read'], says: 'Did you mean svc admin keys create?' },
  { args: ['migrate'], says: 'Unknown command: migrate. Did you mean svc admin migrate?' },
  { args: ['list'], says: 'Unknown command: list.\n' },
  { args: ['sources', '--format', 'jsno'], says: 'Did you mean json?' },
  { args: ['completion', 'bahs'], says: 'Did you mean bash?' },
  { args: ['compare'], says: 'Unknown command: compare. Did you mean svc competitors or svc diff?' },
  { args: ['citations', '--limit', '3'], says: 'Did you mean svc sources?' },
  { args: ['overview', '--csv'], says: 'Unknown flag: --csv. Did you mean --format csv?' },
  { args: ['moves', '--ndjson'], says: 'Unknown flag: --ndjson. Did you mean --format ndjson?' },
  { args: ['zzzzzzzzz'], says: 'Unknown command: zzzzzzzzz.' },
  { args: ['sources', '--lmit', '3'], says: 'Unknown flag: --lmit. Did you mean --limit?' },
  { args: ['sources', '--key', 'svc_x'], says: 'Unknown flag: --key.' },
  { args: ['sources', 'extra'], says: 'argument: extra\n`svc sources --help` lists what it takes' },
  { args: ['mcp', 'confg'], says: 'svc mcp takes no argument: confg. Did you mean svc mcp config?' },
  { args: ['--jsno', 'sources'], says: 'Unknown flag: --jsno.' },
  { args: ['--profile', 'work'], says: 'No profile work is stored (--profile).' },
  { args: ['--brand', 'x', '--jsno'], says: 'Unknown flag: --jsno. Did you mean --json?' },
  { args: ['--data-dir', '/d'], says: 'A command is missing, as in: svc --data-dir … admin brands list' },
  { args: ['--json', 'sources', '--lmit', '3'], says: 'Unknown flag: --lmit. Did you mean --limit?' },
  { args: ['--profile', 'work', 'admin', 'migrate'], says: 'Unknown flag: --profile.' },
  { args: ['admin', 'key'], says: 'Unknown command: admin key. Did you mean svc admin keys?' },
  {
    args: ['admin', 'key', 'list'],
    says: 'Unknown command: admin key list. Did you mean svc admin keys list?',
  },
  { args: ['admin', 'xyz'], says: 'Unknown command: admin xyz.\n' },
  { args: ['tool'], says: 'Unknown command: tool. Did you mean svc tools?' },
  { args: ['profiles', 'us', 'x'], says: 'Did you mean svc profiles use?' },
  { args: ['admin', 'keys', 'create'], says: 'Missing flag: --kind full|read|ingest|feed.\n' },
  {
    args: ['admin', 'keys', 'create', '--kind', 'read'],
    says: 'Give --workspace ID, or --brand ID for the workspace of a brand.\n',
  },
  { args: ['tools', 'call'], says: 'Missing argument: TOOL (Name of the tool).\n' },
  { args: ['sources', '--limit', '0'], says: '--limit: Expected an integer greater than or equal to 1' },
  { args: ['sources', '--limit', 'ten'], says: '--limit: Expected an integer' },
  { args: ['sources', '--limit', '5', '--all'], says: 'cannot also be provided' },
  { args: ['sources', '--json', '--format', 'csv'], says: 'cannot also be provided' },
  { args: ['sources', '--format', 'xml'], says: 'table, tsv, json, ndjson, csv, md' },
];

describe('a wrong command line', () => {
  const now = session();

  for (const { args, says } of refused) {
    it(`exits with 2 and explains the mistake: svc ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await svc(args, now.env);
      expect(code).to.equal(2);
      expect(stdout + stderr).to.contain(says);
      expect(now.server.requests).to.deep.equal([]);
    });
  }

  it('names the engine that was meant, for a flag and for an argument of a tool', async () => {
    now.server.refuse(errors.unknownEngine('chatgtp'), 'full');
    const typed = await svc(['overview', '--engine', 'perplexity,chatgtp'], now.env);
    expect(typed.code).to.equal(2);
    expect(typed.stderr.replace(/\s+/g, ' ')).to.contain('llama. Did you mean chatgpt?');
    now.server.refuse(undefined);
    now.server.tools.refuse('get_overview', errors.unknownEngine('grokk'));
    const args = ['tools', 'call', 'get_overview', '--arg', 'engine=grokk'];
    expect((await svc(args, now.env)).stderr).to.contain('Did you mean grok?');
  });

  it('prints one JSON object on standard output if JSON was requested', async () => {
    const { code, stdout, stderr } = await svc(['sources', '--lmit', '3', '--json'], now.env);
    expect({ code, stderr }).to.deep.equal({ code: 2, stderr: '' });
    expect(JSON.parse(stdout).error).to.deep.include({ code: 'usage', status: null, retryable: false });
  });
});

const ordered: readonly (readonly [typed: string, taken: string])[] = [
  ['overview --profile work', 'overview --profile work'],
  ['--profile work overview', 'overview --profile work'],
  ['--url=http://h -q --json tools call t --arg a=b', 'tools call t --url=http://h -q --json --arg a=b'],
  ['--data-dir /d admin keys list', 'admin keys list --data-dir /d'],
  ['--key-file k ingest -- -odd', 'ingest --key-file k -- -odd'],
  ['--unknown overview', '--unknown overview'],
  ['--profile work', 'summary --profile work'],
  ['--brand x --days 7', 'summary --brand x --days 7'],
  ['--brand x overview', 'overview --brand x'],
  ['--json', 'summary --json'],
  ['--profile work --help', '--profile work --help'],
  ['--data-dir /d', '--data-dir /d'],
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
