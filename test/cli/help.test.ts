import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Home, svc } from './support/run.js';

describe('the help', () => {
  const home = new Home();
  after(() => home.remove());

  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    it(`says what svc is, then shows three examples: svc ${args.join(' ')}`, async () => {
      const { stdout, code } = await svc(args, home.env);
      expect(code).to.equal(0);
      const [first, examples] = stdout.split('\n\n');
      expect(first!.replace(/\s+/g, ' ')).to.equal(
        'How a brand appears in the answers of AI engines: metrics server, typed SDK and the command svc',
      );
      const [head, ...block] = examples!.split('\n');
      expect(head).to.equal('EXAMPLES');
      expect(block.filter((line) => line.startsWith('  $ svc '))).to.have.length(3);
    });
  }

  it('fits 80 columns', async () => {
    const { stdout } = await svc(['--help'], home.env);
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
  });

  it('lists every command once, in groups', async () => {
    const { stdout } = await svc(['--help'], home.env);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name);
    const { commands } = JSON.parse(
      readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'),
    );
    const shown = Object.keys(commands).filter((id) => !commands[id].hidden);
    const words = new Set(shown.map((id) => id.split(':')[0]));
    expect(listed.toSorted()).to.deep.equal([...words].toSorted());
    for (const title of ['SETUP', 'VISIBILITY', 'AGENTS AND SCRIPTS', 'SERVER'])
      expect(stdout).to.contain(`\n${title}\n`);
    expect(stdout).to.not.contain('OTHER');
    for (const below of ['svc ingest setup', 'svc mcp config', 'svc profiles use'])
      expect(stdout.replace(/\s+/g, ' ')).to.contain(below);
  });

  it('describes topics by their own summaries, not by those of their first commands', async () => {
    const { stdout } = await svc(['admin', '--help'], home.env);
    expect(stdout)
      .to.match(/admin keys +Make, list and revoke API keys/)
      .and.not.contain('Stop collection for a brand; it');
    const keys = await svc(['admin', 'keys'], home.env);
    expect(keys.stdout).to.match(/^Make, list and revoke API keys\n/);
  });

  for (const args of [['-v'], ['version'], ['--version']]) {
    it(`is replaced by the version: svc ${args.join(' ')}`, async () => {
      const { stdout, code } = await svc(args, home.env);
      expect(code).to.equal(0);
      expect(stdout).to.match(/^answer-visibility\/\d+\.\d+\.\d+ \S+ node-v\S+\n$/);
    });
  }

  it('states a summary once, each example as a command, and each value by a name or its choices', async () => {
    for (const args of [['serve'], ['overview'], ['admin', 'import'], ['admin', 'keys', 'create']]) {
      const { stdout } = await svc([...args, '--help'], home.env);
      const [summary] = stdout.split('\n');
      expect(stdout.split(summary!)).to.have.length(2);
      expect(stdout).to.not.match(/<(?:value|option)/);
      const [, examples = ''] = stdout.split('\nEXAMPLES\n');
      for (const each of examples.trimEnd().split('\n\n')) expect(each).to.match(/^ {2}\$ /);
    }
    expect((await svc(['overview', '--help'], home.env)).stdout).to.contain('--brand=BRAND');
    expect((await svc(['serve', '--help'], home.env)).stdout).to.contain('--page=on|off');
  });

  it('lists the flags of a command', async () => {
    const { stdout } = await svc(['help', 'sources'], home.env);
    for (const flag of [
      '--brand',
      '--limit',
      '--all',
      '--cursor',
      '--format',
      '--json',
      '--url',
      '--profile',
      '--key-file',
    ]) {
      expect(stdout).to.contain(flag);
    }
  });
});
