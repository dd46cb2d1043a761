import { expect } from 'chai';
import * as fixtures from '../support/fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc answers with a filter', () => {
  const now = session();
  const json = async (...args: string[]) =>
    JSON.parse((await svc(['answers', ...args, '--json'], now.env)).stdout);
  const rows = fixtures.answers.map((row, at) => ({
    ...row,
    prompt_id: `pr_${at % 10}`,
    engine: at % 3 === 0 ? 'grok' : 'chatgpt',
  }));
  beforeEach(() =>
    now.server.serve('answers', { brand: fixtures.brand, answers: rows, ...fixtures.unsliced }),
  );

  it('stops reading pages when --limit rows are found, without a cursor into the middle of a page', async () => {
    const { answers, ...envelope } = await json('--prompt', 'pr_3', '--limit', '5');
    expect(answers).to.deep.equal(rows.filter(({ prompt_id }) => prompt_id === 'pr_3').slice(0, 5));
    expect(envelope).to.deep.equal({ brand: fixtures.brand, ...fixtures.unsliced });
    expect(now.server.requests).to.deep.equal(['/api/v1/answers?limit=200']);
  });

  it('reads every page under --all, of several engines too', async () => {
    const { answers, next_cursor } = await json('--prompt', 'pr_3', '--engine', 'grok,gemini', '--all');
    expect(answers).to.deep.equal(
      rows.filter(({ prompt_id, engine }) => prompt_id === 'pr_3' && engine === 'grok'),
    );
    expect(next_cursor).to.equal(null);
    expect(now.server.requests).to.have.length(Math.ceil(rows.length / 200));
  });

  it('says that more rows may match', async () => {
    const { stderr } = await svc(['answers', '--engine', 'grok', '--limit', '1'], now.env);
    expect(stderr).to.equal('More rows may match: a higher --limit or --all goes on.\n');
    expect((await svc(['answers', '--engine', 'grok', '--all'], now.env)).stderr).to.equal('');
  });

  it('says how many rows were read if none matches', async () => {
    const { stdout, stderr } = await svc(['answers', '--prompt', 'none'], now.env);
    expect({ stdout, stderr }).to.deep.equal({
      stdout: '',
      stderr: `None of ${rows.length} rows matches.\n`,
    });
  });

  it('refuses an unknown engine before any request', async () => {
    const { code, stderr } = await svc(['answers', '--engine', 'chatgtp'], now.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('--engine: unknown engine: chatgtp. Did you mean chatgpt?');
    expect(now.server.requests).to.deep.equal([]);
  });
});
