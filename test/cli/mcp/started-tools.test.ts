import { expect } from 'chai';
import { CommandError } from '../../../src/cli/command-error.js';
import { startedTools } from '../../../src/cli/mcp/started-tools.js';

const { signal } = new AbortController();
/** An entry that runs a script of Node. */
const entry = (script: string, env: object = {}) => ({
  command: process.execPath,
  args: ['-e', script],
  env,
});

async function failureOf(started: object): Promise<string> {
  try {
    await startedTools(started as never, signal);
  } catch (error) {
    expect(error).to.be.instanceOf(CommandError);
    return (error as CommandError).message;
  }
  throw new Error('the tools were listed');
}

describe('the tools of a configured command', () => {
  it('are listed with the variables of the entry, and not with those of this shell', async () => {
    process.env.SVC_TEST_SHELL = 'of the shell';
    const script = `
      const { HOME, OWN, SVC_TEST_SHELL } = process.env;
      const tools = [String(OWN), String(SVC_TEST_SHELL), String(HOME !== undefined)].map((name) => ({ name }));
      process.stdin.once('data', () => console.log(JSON.stringify({ id: 1, result: {} }) + '\\n' +
        JSON.stringify({ id: 2, result: { tools } })));`;
    try {
      const tools = await startedTools(entry(script, { OWN: 'of the entry' }), signal);
      expect(tools).to.deep.equal(['of the entry', 'undefined', 'true']);
    } finally {
      delete process.env.SVC_TEST_SHELL;
    }
  });

  it('are a failure with the first line that the command complains of', async () => {
    expect(await failureOf(entry(`console.error('no key\\nmore'); process.exit(3)`))).to.equal(
      'The client would get no tools: no key',
    );
    expect(await failureOf(entry('process.exit(3)'))).to.contain('the command ended with 3');
    expect(await failureOf({ command: '/nowhere/svc', args: [] })).to.contain('ENOENT');
    const refuses = `console.log(JSON.stringify({ id: 1, error: { message: 'unauthorized' } })); setInterval(() => {}, 9)`;
    expect(await failureOf(entry(refuses))).to.contain('unauthorized');
  });

  it('are not waited for after a signal, whose reason is the failure', async () => {
    const interrupted = new CommandError('interrupted', 'Interrupted.');
    const aborter = new AbortController();
    const listing = startedTools(entry('setInterval(() => {}, 9)') as never, aborter.signal);
    setTimeout(() => aborter.abort(interrupted), 20);
    expect(await listing.catch((error: unknown) => error)).to.equal(interrupted);
  });

  it('are a failure if what it writes is not JSON-RPC', async () => {
    const message = await failureOf(entry(`console.log('Welcome!'); setInterval(() => {}, 9)`));
    expect(message).to.contain('Welcome!');
  });
});
