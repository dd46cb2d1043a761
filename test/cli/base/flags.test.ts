import { expect } from 'chai';
import { paramFlags } from '../../../src/cli/base/flags.js';
import { resources } from '../../../src/contract/registry.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

const commandOf = (name: string) => (name === 'metrics/history' ? 'history' : name);

describe('the flags', () => {
  const now = session();

  it('exist for each parameter of the contract', () => {
    for (const { params } of Object.values(resources))
      expect(Object.keys(paramFlags(params))).to.deep.equal(Object.keys(params));
  });

  it('are in the help of every read', async () => {
    for (const { path: name, params } of Object.values(resources)) {
      const { stdout } = await svc([commandOf(name), '--help'], now.home.env);
      for (const flag of Object.keys(params)) expect(stdout, `${name} ${flag}`).to.contain(`--${flag}`);
    }
  });

  it('describe that --brand accepts a name', async () => {
    const { stdout } = await svc(['sources', '--help'], now.home.env);
    expect(stdout.replace(/\s+/g, ' ')).to.contain('Brand id or name; default: the first brand in scope');
  });

  it('are sent to the API unchanged', async () => {
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

  it('refuse values that the contract does not list, before any request', async () => {
    for (const args of [
      ['history', '--metric', 'fame'],
      ['crawlers', '--days', '56'],
      ['ads', '--cursor', '3'],
    ]) {
      const { code, stderr } = await svc(args, now.env);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr).to.contain('Error:');
    }
    expect(now.server.requests).to.deep.equal([]);
  });

  it('list the possible windows and suggest the nearest one', async () => {
    const stderr = async (...args: string[]) => (await svc(args, now.env)).stderr;
    expect(await stderr('history', '--days', '30')).to.contain(
      'Error: --days: Invalid value 30: it takes 7, 14, 28 or 56; the nearest is 28. Any other window is --from and --to.',
    );
    expect(await stderr('sentiment', '--days', '1000')).to.contain('the nearest is 56. Any other window');
    expect(await stderr('crawlers', '--days', 'week')).to.contain(
      'Invalid value week: it takes 7, 14 or 28. Any other window is --from and --to.',
    );
    expect(now.server.requests).to.deep.equal([]);
  });

  it('end a window without --to today', async () => {
    for (const command of ['history', 'ads']) await svc([command, '--from', '2026-10-01', '--json'], now.env);
    const day = new Date().toISOString().slice(0, 10);
    for (const request of now.server.requests) expect(request).to.contain(`from=2026-10-01&to=${day}`);
    expect(now.server.requests).to.have.length(2);
  });

  it('allow --raw only with csv', async () => {
    for (const args of [[], ['--json'], ['--format', 'md']]) {
      const { code, stderr, stdout } = await svc(['sources', '--raw', ...args], now.env);
      expect(code).to.equal(2);
      expect(stderr + stdout).to.contain('--raw works only with --format csv.');
    }
  });
});
