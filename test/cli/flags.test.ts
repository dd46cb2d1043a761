import { expect } from 'chai';
import { paramFlags } from '../../src/cli/flags.js';
import { resources } from '../../src/contract/registry.js';
import { svc } from './support/run.js';
import { session } from './support/session.js';

const commandOf = (name: string) => (name === 'metrics/history' ? 'history' : name);

describe('flags', () => {
  const now = session();

  it('are one per parameter of the contract', () => {
    for (const { params } of Object.values(resources))
      expect(Object.keys(paramFlags(params))).to.deep.equal(Object.keys(params));
  });

  it('are listed by the help of every read', async () => {
    for (const { path: name, params } of Object.values(resources)) {
      const { stdout } = await svc([commandOf(name), '--help'], now.home.env);
      for (const flag of Object.keys(params)) expect(stdout, `${name} ${flag}`).to.contain(`--${flag}`);
    }
  });

  it('of every kind reach the API as they were given', async () => {
    const args = ['--from', '2026-10-01', '--to', '2026-10-31', '--engine', 'chatgpt,llama', '--competitors'];
    await svc(['history', '--metric', 'citation_share', ...args, '--brand', 'br_tide', '--json'], now.env);
    await svc(['crawlers', '--days', '28', '--json'], now.env);
    const [history, crawlers] = now.server.requests.map((path) => new URL(path, now.server.url).searchParams);
    expect(Object.fromEntries(history!)).to.deep.equal({
      brand: 'br_tide',
      metric: 'citation_share',
      from: '2026-10-01',
      to: '2026-10-31',
      engine: 'chatgpt,llama',
      competitors: 'true',
    });
    expect(Object.fromEntries(crawlers!)).to.deep.equal({ days: '28' });
  });

  it('refuse what the contract does not list, before anything is asked', async () => {
    for (const args of [
      ['history'],
      ['history', '--metric', 'fame'],
      ['crawlers', '--days', '56'],
      ['ads', '--limit', '3'],
    ]) {
      const { code, stderr } = await svc(args, now.env);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr).to.contain('Error:');
    }
    expect(now.server.requests).to.deep.equal([]);
  });
});
