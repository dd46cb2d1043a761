import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import type { FullAnswer } from '../../../src/contract/reads/answer.js';
import { SvcClient } from '../../../src/sdk/index.js';
import { runOf } from '../../server/answers/reads/support/tool-database.js';
import { market } from '../../server/intake/dataset/support/load.js';
import { call, textOf } from '../../server/web/mcp/support/rpc.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../support/server.js';
import * as fixtures from '../support/fixtures.js';
import { Home, svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc answer', () => {
  const now = session();
  const whole = (): { answer: FullAnswer } => JSON.parse(now.server.body('/api/v1/answer'));

  it('prints the prompt, how it was collected, the text, and what was captured with it', async () => {
    const { stdout, stderr } = await svcTable(['answer', 'a_1'], { ...now.env, COLUMNS: '100' });
    const { answer } = whole();
    expect(stdout.split('\n').slice(0, 5)).to.deep.equal([
      'best coffee?',
      `ChatGPT · ${answer.model || 'model not known'} · ${answer.region} · 2026-11-19 08:00 UTC · API · ${answer.id}`,
      `Fernweh Coffee · prompt ${answer.prompt_id}`,
      '',
      answer.text,
    ]);
    expect(stdout)
      .to.match(/Citations \(1\)\nplace +title +page\n.*\n +1 +The best of 2026 +roast-weekly\.example/)
      .and.contain('Searches (1)\nbest coffee 2026')
      .and.match(/Names, by rank \(\d\)/);
    expect(stderr).to.not.contain('Error');
    expect(now.server.requests).to.deep.equal(['/api/v1/answer?run_id=a_1']);
  });

  it('prints the payload of the API as JSON', async () => {
    const { stdout } = await svc(['answer', 'a_1', '--json'], now.env);
    expect(stdout).to.equal(`${now.server.body('/api/v1/answer')}\n`);
  });

  it('prints fields as other commands of an object do', async () => {
    const lines = async (...args: string[]) =>
      (await svc(['answer', 'a_1', ...args], now.env)).stdout.trimEnd().split('\n');
    expect(await lines('--fields', 'answer.id,answer.prompt', '--format', 'csv')).to.deep.equal([
      'answer.id,answer.prompt',
      `${whole().answer.id},best coffee?`,
    ]);
    expect(JSON.parse((await lines('--format', 'ndjson'))[0]!)).to.deep.equal(whole());
    expect(await lines()).to.include('answer.prompt\tbest coffee?');
    expect(await lines('--format', 'md')).to.include('> **Fernweh Coffee** is a favourite of many.');
  });

  it('says that no search is stated, which is not that there was none', async () => {
    const body = JSON.parse(now.server.body('/api/v1/answer'));
    now.server.serve('answer', { ...body, answer: { ...body.answer, searches: [] } });
    for (const format of ['table', 'md'])
      expect((await svc(['answer', 'a_1', '--format', format], now.env)).stdout)
        .to.contain('\nThe engine stated no search for this answer.\n')
        .and.not.contain('No searches');
  });

  it('says that a text was not collected, or is empty', async () => {
    const body = {
      ...JSON.parse(now.server.body('/api/v1/answer')),
      note: 'The text of this answer …',
      notes: [{ code: 'of_a_newer_server' }],
    };
    for (const [text, said] of [
      [null, 'The text was not collected.'],
      ['', 'The engine answered with an empty text.'],
      [' \n', 'The engine answered with an empty text.'],
    ] as const)
      for (const format of ['table', 'md']) {
        now.server.serve('answer', { ...body, answer: { ...body.answer, text, spans: [] } });
        const { stdout } = await svc(['answer', 'a_1', '--format', format], now.env);
        expect(stdout.split('\n'), String(text)).to.include(said);
      }
  });

  it('names the id that the brand does not have, and where ids are', async () => {
    now.server.refuseOne('answer', errors.unknownRun('x'));
    for (const args of [['nope'], ['nope', '--against', 'other']]) {
      const { stderr, stdout, code } = await svc(['answer', ...args], now.env);
      expect([code, stdout]).to.deep.equal([5, '']);
      expect(stderr).to.match(/^Error: Unknown run id: (nope|other)\.\n`svc answers` lists the ids/);
    }
    const { stdout } = await svc(['answer', 'nope', '--json'], now.env);
    expect(JSON.parse(stdout).error).to.include({ code: 'not_found', status: 404 });
  });

  it('says of the id of a prompt that it is one', async () => {
    const { id } = fixtures.prompts[0]!;
    now.server.refuseOne('answer', errors.unknownRun(id));
    const { stderr, code } = await svc(['answer', id], now.env);
    expect(code).to.equal(5);
    expect(stderr.replace(/\s+/g, ' ')).to.contain(
      `Unknown run id: ${id}. That is a prompt: \`svc prompt ${id}\` shows it`,
    );
  });

  it('finds a brand by its name, and refuses an unknown one', async () => {
    await svc(['answer', 'a_1', '--brand', 'Tide & Pine', '--json'], now.env);
    expect(now.server.requests.at(-1)).to.equal('/api/v1/answer?brand=br_tide&run_id=a_1');
    const { stderr, code } = await svc(['answer', 'a_1', '--brand', 'nobody'], now.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Unknown brand: nobody (--brand).');
  });

  it('asks for an id, and for another one to compare with', async () => {
    expect((await svc(['answer'], now.env)).stderr).to.contain('Missing argument: ID');
    const { stderr, code } = await svc(['answer', 'a', '--against', 'a'], now.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('--against a is the same answer: there is nothing to compare.');
    expect(now.server.requests).to.deep.equal([]);
  });

  it('leads from lists and quotes to an answer', async () => {
    const { stdout, stderr } = await svcTable(['answers'], { ...now.env, COLUMNS: '60' });
    for (const { id } of fixtures.answers.slice(0, 5)) expect(stdout).to.match(new RegExp(`^${id} `, 'm'));
    expect(stderr).to.contain('`svc answer ID` shows an answer with its text.');
    for (const args of [['sentiment'], ['prompt', 'p_2']]) {
      const shown = (await svcTable(args, { ...now.env, COLUMNS: '100' })).stdout;
      const [, id] = /answer: +(\S+)/.exec(shown)!;
      expect(shown).to.contain(`\`svc answer ${id} --brand br_fernweh\` shows the first of these answers.`);
    }
  });

  it('shows the excerpt of an answer where there is room', async () => {
    const wide = await svcTable(['answers', '--limit', '1'], { ...now.env, COLUMNS: '240' });
    expect(wide.stdout).to.match(/model +excerpt$/m);
    const narrow = await svcTable(['answers', '--limit', '1'], { ...now.env, COLUMNS: '80' });
    expect(narrow.stdout).to.not.contain('excerpt');
    expect(narrow.stderr).to.match(/not shown at this width: .*excerpt/);
  });
});

describe('svc answer on a real server', () => {
  let server: TestServer;
  const home = new Home();
  const A = {
    answer: 'Acme Corp wins, then\nGlobex. العربية 東京 \u001b[31m',
    mentions: [
      { name: 'Acme', order: 1, sentiment: 'positive', evidence: 'wins' },
      { name: 'Globex', order: 2 },
    ],
    citations: [{ url: 'https://a.example/', title: 'A' }, { url: 'https://both.example/' }],
  };
  const B = {
    answer: `Take ACME, or Initech: ${'long words of a text '.repeat(30)}`,
    mentions: [
      { name: 'ACME', order: 1 },
      { name: 'Initech', order: 2 },
    ],
    citations: [{ url: 'https://both.example/' }, { url: 'https://b.example/x', title: 'B' }],
  };
  before(async () => {
    server = await testServer();
    await server.load([...market, runOf('a', A), runOf('b', B), runOf('c', { ...B, answer: null })] as never);
  });
  after(async () => {
    home.remove();
    await server.close();
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  const run = (args: string[], columns = 120) =>
    svc(['answer', ...args], {
      ...{ ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY },
      COLUMNS: String(columns),
    });
  const table = (args: string[], columns?: number) => run([...args, '--format', 'table'], columns);

  it('has the bytes of REST, of the tool and of the SDK', async () => {
    const rest = await (await server.request('/api/v1/answer?run_id=a', OPERATOR_KEY)).text();
    const { stdout } = await run(['a', '--json']);
    const tool = textOf(await call(server, 'get_answer', { run_id: 'a' }));
    const sdk = await new SvcClient({ baseUrl: server.url, apiKey: OPERATOR_KEY }).answer({ run_id: 'a' });
    expect(tool).to.equal(rest);
    expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(rest));
    expect(sdk).to.deep.equal(JSON.parse(rest));
    expect(sdk.answer.text).to.equal(A.answer);
  });

  it('compares two answers: names by what they mean, pages by address', async () => {
    const { a, b, differences } = JSON.parse((await run(['a', '--against', 'b', '--json'])).stdout);
    expect([a.id, b.id]).to.deep.equal(['a', 'b']);
    expect(differences).to.deep.equal([
      { what: 'name', value: 'Globex', only_in: 'a' },
      { what: 'name', value: 'Initech', only_in: 'b' },
      { what: 'page', value: 'https://a.example/', only_in: 'a' },
      { what: 'page', value: 'https://b.example/x', only_in: 'b' },
    ]);
    const rows = (await run(['a', '--against', 'b', '--format', 'csv'])).stdout.trimEnd().split('\n');
    expect(rows).to.have.length(5).and.include('name,Globex,a');
  });

  it('shows them side by side from 120 columns on, without a script from right to left, else one below the other', async () => {
    const isBeside = (stdout: string) => / │ /.test(stdout);
    const wide = await table(['b', '--against', 'c'], 120);
    expect(isBeside(wide.stdout)).to.equal(true);
    for (const line of wide.stdout.split('\n')) expect(line.length).to.be.at.most(120);
    expect(wide.stdout).to.contain('The text was not collected.');
    expect(isBeside((await table(['b', '--against', 'c'], 119)).stdout)).to.equal(false);
    const mixed = (await table(['a', '--against', 'b'], 160)).stdout;
    expect(isBeside(mixed)).to.equal(false);
    expect(mixed)
      .to.match(/^A · ChatGPT .*\n\nAcme Corp wins, then\nGlobex\. العربية 東京 \[31m$/m)
      .and.contain('1 name only in A: Globex.')
      .and.contain('1 page only in B');
    expect((await table(['b', '--against', 'c'])).stdout)
      .to.contain('No name stands only in A.')
      .and.contain('No pages that only B cites.');
  });
});
