import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { errors } from '../../src/contract/errors.js';
import { builtEntry } from './support/built.js';
import { type Environment, type Ran, svc } from './support/run.js';
import { session } from './support/session.js';

describe('the bundled command line', () => {
  const now = session();

  async function bundled(args: readonly string[], env: Environment): Promise<Ran> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, ['--no-warnings', builtEntry(), ...args], {
      env: { PATH, ...env },
    });
    const code = new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? -1)));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr, code: await code };
  }

  const lines = [
    ['overview'],
    ['prompts', '--format', 'md'],
    ['sources', '--limit', '250', '--json'],
    ['urls', '--format', 'csv'],
    ['history', '--metric', 'visibility', '--competitors'],
    ['sentiment'],
    ['fact-check', '--format', 'csv'],
    ['whoami'],
    ['soruces'],
    ['sources', '--lmit', '3', '--json'],
    ['sources', '--help'],
    [],
    ['--help'],
    ['help'],
    ['overview', '--help'],
  ];
  for (const args of lines) {
    it(`prints the same as the sources: svc ${args.join(' ')}`, async () => {
      const env = { ...now.env, COLUMNS: '100' };
      expect(await bundled(args, env)).to.deep.equal(await svc(args, env));
    });
  }

  it('reports a refusal like the sources', async () => {
    now.server.refuse(errors.rateLimited(3600), 'full');
    const ran = await bundled(['overview', '--json'], now.env);
    expect(ran).to.deep.equal(await svc(['overview', '--json'], now.env));
    expect(ran.code).to.equal(6);
  });
});
