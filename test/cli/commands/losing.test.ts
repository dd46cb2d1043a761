import { expect } from 'chai';
import { lastDays } from '../../../src/cli/render/wording.js';
import { errors } from '../../../src/contract/errors.js';
import * as fixtures from '../support/fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';
import { coverage } from '../support/tool-fixtures.js';

/** The parameters of the days that end today. */
const week = () => new URLSearchParams({ ...lastDays() });

describe('svc losing', () => {
  const now = session();
  const json = async (...args: string[]) =>
    JSON.parse((await svc(['losing', ...args, '--json'], now.env)).stdout);
  const winners = [
    { domain: 'roast-weekly.example', classification: 'editorial', citations: 12 },
    { domain: 'coffee-forum.example', classification: 'ugc', citations: 3 },
  ];
  const own_pages = [{ url: 'https://fernweh.example/decaf', citations: 2 }];
  beforeEach(() => {
    const prompts = coverage.prompts.map((row) =>
      row.prompt_id === 'p_2' ? { ...row, winners, own_pages } : row,
    );
    now.server.tools.serve('get_content_coverage', { ...coverage, prompts });
  });

  it('joins prompts without the brand with their coverage, in two requests', async () => {
    const { brand, totals, prompts } = await json();
    expect(now.server.requests.toSorted()).to.deep.equal(['/api/mcp', `/api/v1/prompts?${week()}`]);
    expect(brand).to.deep.equal(fixtures.brand);
    // p_1 and p_4 name the brand, p_3 has no answer.
    expect(totals).to.deep.equal({ prompts: 4, measured: 3, losing: 1 });
    expect(prompts).to.deep.equal([
      {
        prompt_id: 'p_2',
        text: 'best decaf espresso | 2026',
        run_count: 56,
        est_volume_band: [1200, 3400],
        winner: null,
        winner_answers: null,
        cited: 'roast-weekly.example',
        cited_classification: 'editorial',
        cited_citations: 12,
        cited_page: null,
        own_page: 'https://fernweh.example/decaf',
        winners,
      },
    ]);
  });

  it('cuts its rows to --limit, in every format, and keeps the totals', async () => {
    now.server.serve('prompts', {
      brand: fixtures.brand,
      tag_groups: [],
      prompts: fixtures.prompts.map((each) => ({ ...each, run_count: 9, presence_rate: 0 })),
      ...fixtures.unsliced,
    });
    const whole = await json();
    expect(whole.prompts).to.have.length(fixtures.prompts.length);
    const { totals, prompts } = await json('--limit', '2');
    expect(totals).to.deep.equal(whole.totals);
    expect(prompts).to.deep.equal(whole.prompts.slice(0, 2));
    const table = await svcTable(['losing', '--limit', '2'], now.env);
    expect(table.stdout)
      .to.contain(`${totals.losing} of ${totals.measured} measured prompts`)
      .and.contain(prompts[1].prompt_id)
      .and.not.contain(whole.prompts[2].prompt_id);
    const { stdout } = await svc(
      ['losing', '--limit', '1', '--sort', 'prompt_id:desc', '--fields', 'prompt_id'],
      now.env,
    );
    expect(stdout).to.equal(
      `${whole.prompts
        .map((each: { prompt_id: string }) => each.prompt_id)
        .sort()
        .at(-1)}\n`,
    );
  });

  /** Mentions of names, in their order, with the id of the company that each is a spelling of. */
  const named = (...names: (readonly [name: string, entity: string | null])[]) =>
    names.map(([name, entity], at) => ({ name, order: at + 1, sentiment: null, evidence: null, entity }));
  const NORTH = fixtures.competitors.find(({ is_brand }) => !is_brand)!;
  const north = (name: string) => [name, NORTH.id] as const;
  const untracked = (name: string) => [name, null] as const;

  it('names the page and the winner from the answers under --pages, without engines outside of the metrics', async () => {
    const [answer] = fixtures.answers;
    const page = (url: string) => ({ domain: 'roast-weekly.example', url });
    const row = { ...answer!, prompt_id: 'p_2', engine: 'chatgpt' };
    const answers = [
      {
        ...row,
        citations: [page('https://a.example/1'), page('https://a.example/2')],
        mentions: named(north('North'), north('North Espresso')),
      },
      {
        ...row,
        citations: [page('https://a.example/2')],
        mentions: named(untracked('Kaffeewerk'), north('NORTH')),
      },
      {
        ...row,
        engine: 'llama',
        citations: Array(5).fill(page('https://a.example/3')),
        mentions: named(['Gone', 'gone']),
      },
      { ...row, prompt_id: 'p_1', citations: Array(5).fill(page('https://a.example/4')), mentions: [] },
    ];
    now.server.serve('answers', {
      brand: fixtures.brand,
      answers,
      ...fixtures.unsliced,
      filter: null,
      total: null,
    });
    const { prompts } = await json('--pages');
    expect(prompts[0]).to.include({
      cited_page: 'https://a.example/2',
      winner: NORTH.name,
      winner_answers: 2,
    });
  });

  it('lists under --below the prompts that seldom name the brand, with the company that wins there, all its spellings counted as one', async () => {
    now.server.serve('prompts', {
      brand: fixtures.brand,
      tag_groups: [],
      prompts: fixtures.prompts.map((each, at) => ({ ...each, presence_rate: [0.09, 0, null, 0.1][at]! })),
      ...fixtures.unsliced,
    });
    const answers = fixtures.answers.map((each) => ({ ...each, prompt_id: 'p_2', engine: 'chatgpt' }));
    const own = (name: string) => [name, fixtures.brand.id] as const;
    const mentions = [
      named(own('FERNWEH COFFEE'), north('North')),
      named(own('Fernweh'), untracked('Tide')),
      named(north('North Espresso'), north('North'), untracked('Tide')),
      named(untracked('Tide')),
    ];
    const rows = mentions.map((each, at) => ({ ...answers[0]!, id: `r${at}`, mentions: each }));
    now.server.serve('answers', {
      brand: fixtures.brand,
      answers: rows,
      ...fixtures.unsliced,
      filter: null,
      total: null,
    });
    const { totals, prompts } = await json('--below', '10');
    expect(totals).to.deep.equal({ prompts: 4, measured: 3, below: 2 });
    expect(prompts[0]).to.deep.equal({
      prompt_id: 'p_2',
      text: 'best decaf espresso | 2026',
      run_count: fixtures.prompts[1]!.run_count,
      presence_rate: 0,
      winner: NORTH.name,
      winner_answers: 2,
      cited: 'roast-weekly.example',
      cited_citations: 12,
      own_page: 'https://fernweh.example/decaf',
    });
    expect(prompts[1]).to.include({ prompt_id: 'p_1', presence_rate: 0.09, winner: null });
    const { stdout } = await svcTable(['losing', '--below', '10'], { ...now.env, COLUMNS: '140' });
    expect(stdout).to.contain('2 of 3 measured prompts · 1 not measured');
    for (const head of ['presence', 'winner', 'named', 'most cited']) expect(stdout).to.contain(head);
    const refused = await svc(['losing', '--below', '0'], now.env);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.contain('--below: Expected an integer greater than or equal to 1');
  });

  it('fits the terminal, states the totals, and names the command that shows more', async () => {
    for (const columns of [40, 80, 140]) {
      const { stdout } = await svcTable(['losing'], { ...now.env, COLUMNS: String(columns) });
      expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).to.be.at.most(columns);
      expect(stdout.replace(/\s+/g, ' '))
        .to.contain('1 of 3 measured prompts never name the brand · 1 not measured')
        .and.contain('`svc prompt p_2`');
    }
  });

  it('does not say that nothing is lost if nothing is measured', async () => {
    const prompts = fixtures.prompts.map((row) => ({ ...row, run_count: 0, presence_rate: null }));
    now.server.serve('prompts', { brand: fixtures.brand, tag_groups: [], prompts, ...fixtures.unsliced });
    const { stdout } = await svcTable(['losing'], now.env);
    expect(stdout)
      .to.contain('none measured: where the brand is absent is not known.')
      .and.not.contain('No prompts');
  });

  it('has thresholds, and passes on a refusal', async () => {
    const failed = await svc(['losing', '--fail-above', 'totals.losing=0'], now.env);
    expect(failed).to.include({ code: 9, stderr: 'totals.losing is 1, above 0 (--fail-above).\n' });
    now.server.refuseOne('prompts', errors.planTooLow('Prompts', 'growth', 'starter'));
    expect((await svc(['losing'], now.env)).code).to.equal(4);
  });
});
