import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';
import { factCheckRun } from '../support/tool-fixtures.js';

describe('svc fact-check --run', () => {
  const now = session();
  const run = (...args: string[]) => {
    const format = args.some((arg) => arg === '--json' || arg === '--format') ? [] : ['--format', 'table'];
    return svc(['fact-check', ...args, ...format], { ...now.env, COLUMNS: '80' });
  };
  const { fact_check } = factCheckRun;

  it('runs a check by one call of the tool, and prints result and cost', async () => {
    const { stdout, stderr, code } = await run('--run', '--brand', 'br_tide');
    expect(code).to.equal(0);
    expect(now.server.requests).to.deep.equal(['/api/mcp']);
    expect(now.server.tools.calls).to.deep.equal([
      { name: 'run_fact_check', arguments: { brand_id: 'br_tide' } },
    ]);
    expect(stdout).to.contain('Fact check · Fernweh Coffee\nchecked today');
    expect(stdout).to.contain('high · Copilot\n  claim  It was founded in 1998.');
    expect(stderr).to.equal('\nA check ran now and cost 0.0141 USD.\n');
  });

  it('prints the note of a run', async () => {
    now.server.tools.serve('run_fact_check', {
      ...factCheckRun,
      note: 'Only the beginning was compared.',
      notes: [{ code: 'of_a_newer_server' }],
    });
    expect((await run('--run')).stderr).to.contain('0.0141 USD.\nOnly the beginning was compared.\n');
  });

  it('requests a run with --force although the last result is fresh', async () => {
    await run('--run', '--force');
    expect(now.server.tools.calls).to.deep.equal([{ name: 'run_fact_check', arguments: { force: true } }]);
  });

  it('says why no check ran and what to do, in every format except json', async () => {
    const fresh = {
      ...factCheckRun,
      ran: false,
      reason: 'fresh_result' as const,
      cost_usd: 0,
      note: 'Nothing ran.',
      notes: [{ code: 'of_a_newer_server' }],
    };
    now.server.tools.serve('run_fact_check', fresh);
    for (const format of ['table', 'csv', 'ndjson', 'md']) {
      const { stderr, stdout } = await run('--run', '--format', format);
      expect(stderr).to.contain(
        'No check ran and nothing was spent: the last result is younger than 7 days. --force runs one anyway.',
      );
      expect(stderr).to.not.contain('Nothing ran.');
      expect(stdout).to.contain('It was founded in 1998.');
    }
    expect(await run('--run', '--json')).to.deep.equal({
      stdout: `${JSON.stringify(fresh)}\n`,
      stderr: '',
      code: 0,
    });
  });

  it('prints an unknown cost as unknown, not as 0', async () => {
    const result = { ...fact_check, cost_usd: null };
    now.server.tools.serve('run_fact_check', { ...factCheckRun, cost_usd: null, fact_check: result });
    const { stdout, stderr } = await run('--run');
    expect(stdout).to.contain('cost unknown');
    expect(stderr).to.contain('A check ran now; its cost is unknown.').and.not.contain('0');
  });

  it('refuses --force without --run before any request', async () => {
    const { code, stderr } = await run('--force');
    expect(code).to.equal(2);
    expect(stderr).to.contain('--force').and.contain('--run');
    const inJson = await run('--force', '--json');
    expect(inJson.code).to.equal(2);
    expect(JSON.parse(inJson.stdout).error).to.include({ code: 'usage' });
    expect(now.server.requests).to.deep.equal([]);
  });

  it('prints the message of a refusal, and no older result', async () => {
    for (const [refusal, exit] of [
      [errors.factCheckCap(24), 6],
      [errors.factCheckJustRan(4), 6],
      [errors.mayNotRunFactCheck(), 4],
      [errors.noKnowledgeBase(), 5],
      [errors.noAnswers(), 5],
      [errors.noModel(), 8],
      [errors.modelTimeout(60, false), 8],
      [errors.invalidArgument('force', '"yes"', 'true or false'), 2],
    ] as const) {
      now.server.tools.refuse('run_fact_check', refusal);
      const { stdout, stderr, code } = await run('--run');
      expect(code).to.equal(exit);
      expect(stdout).to.equal('');
      expect(stderr).to.contain(refusal.message);
      // The hint to list the brands helps only if the brand is unknown.
      expect(stderr).to.not.contain('svc brands');
    }
  });

  it('never sends a run twice, because every run costs money', async () => {
    now.server.refuse({ status: 502, message: 'Bad gateway' });
    const { code } = await run('--run');
    expect(code).to.equal(8);
    expect(now.server.requests).to.have.length(1);
    now.server.refuse(errors.unauthorized());
    expect((await run('--run')).code).to.equal(3);
  });

  it('reads the last result without --run', async () => {
    const { stdout } = await run();
    expect(now.server.requests).to.deep.equal(['/api/v1/fact-check']);
    expect(stdout).to.contain('checked 3 days ago');
  });
});
