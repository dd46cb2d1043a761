import { expect } from 'chai';
import { Home, svc } from './support/run.js';

describe('help', () => {
  const home = new Home();
  after(() => home.remove());

  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    it(`begins with three examples: svc ${args.join(' ')}`, async () => {
      const { stdout, code } = await svc(args, home.env);
      expect(code).to.equal(0);
      const [head, ...lines] = stdout.split('\n');
      expect(head).to.equal('EXAMPLES');
      const block = lines.slice(0, lines.indexOf(''));
      expect(block.filter((line) => line.startsWith('  $ svc '))).to.have.length(3);
    });
  }

  it('lists a command under the commands, not under the topics too', async () => {
    const { stdout } = await svc(['--help'], home.env);
    const [topics, commands] = stdout.slice(stdout.indexOf('TOPICS')).split('COMMANDS');
    expect(topics).to.contain('admin').and.not.contain('brands');
    expect(commands).to.match(/^ +brands /m);
  });

  it('of a command lists its flags', async () => {
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
