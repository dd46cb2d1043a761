import { expect } from 'chai';
import { lastDays } from '../../../src/cli/render/wording.js';
import * as fixtures from '../support/fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';
import { fanouts } from '../support/tool-fixtures.js';

/** The parameters of the days that end today. */
const week = () => new URLSearchParams({ ...lastDays() });

describe('svc prompt', () => {
  const now = session();
  const own = fixtures.answers.filter(({ prompt_id }) => prompt_id === 'p_2');
  const serve = (answers: typeof own) =>
    now.server.serve('answers', {
      brand: fixtures.brand,
      answers,
      ...fixtures.unsliced,
      filter: null,
      total: null,
    });
  beforeEach(() => serve(own));

  it('has the prompt, and counts over its answers only', async () => {
    const data = JSON.parse((await svc(['prompt', 'p_2', '--json'], now.env)).stdout);
    expect(data.prompt).to.deep.equal(fixtures.prompts[1]);
    expect(data.answers).to.equal(own.length);
    const sum = (field: string) =>
      data.engines.reduce((total: number, row: { [name: string]: number }) => total + row[field]!, 0);
    expect(sum('answers')).to.equal(own.length);
    expect(sum('with_brand')).to.equal(own.filter(({ brand_present }) => brand_present).length);
    expect(data.names).to.deep.equal([
      { name: 'North Roast Collective', entity: null, is_brand: false, answers: own.length, avg_position: 1 },
      {
        name: 'Fernweh Coffee',
        entity: fixtures.brand.id,
        is_brand: true,
        answers: own.length,
        avg_position: 2,
      },
    ]);
    expect(data.pages).to.deep.equal([
      {
        url: 'https://roast-weekly.example/2026/best',
        domain: 'roast-weekly.example',
        citations: own.length,
      },
    ]);
    // Mentions without a tone have no quote.
    expect(data.quotes).to.have.length(own.length);
    expect(data.searches).to.deep.equal(fanouts.fanouts.filter(({ prompts }) => prompts.includes('p_2')));
  });

  it('counts an answer once for a company, whose spellings are one, at its first rank', async () => {
    const rival = fixtures.competitors.find(({ is_brand }) => !is_brand)!;
    const named = (...names: (readonly [name: string, entity: string | null])[]) =>
      names.map(([name, entity], at) => ({ name, order: at + 1, sentiment: null, evidence: null, entity }));
    const mentions = [
      named(['Rival', rival.id], ['Rival Espresso', rival.id]),
      named(['Other', null], ['Rival Espresso', rival.id]),
      named(['Once tracked', 'gone'], ['Other', null]),
    ];
    const answers = mentions.map((each, at) => ({ ...own[0]!, id: `r${at}`, mentions: each }));
    serve(answers);
    const { names } = JSON.parse((await svc(['prompt', 'p_2', '--json'], now.env)).stdout);
    expect(names).to.deep.equal([
      { name: rival.name, entity: rival.id, is_brand: false, answers: 2, avg_position: 1.5 },
      { name: 'Other', entity: null, is_brand: false, answers: 2, avg_position: 1.5 },
      { name: 'Once tracked', entity: 'gone', is_brand: false, answers: 1, avg_position: 1 },
    ]);
  });

  it('writes the visibility as `svc prompts` does, which the API rounds to a whole number', async () => {
    const { stdout } = await svcTable(['prompt', 'p_2'], now.env);
    const { visibility, presence_rate } = fixtures.prompts[1]!;
    expect(stdout).to.match(new RegExp(`^ *${visibility} +${(100 * presence_rate!).toFixed(1)} `, 'm'));
  });

  it('reads the answers to this prompt only', async () => {
    await svc(['prompt', 'p_2', '--json'], now.env);
    expect(now.server.requests).to.include(`/api/v1/answers?${week()}&prompt=p_2&limit=200`);
  });

  it('cuts the lists of its JSON to --limit, and not the engines', async () => {
    const read = async (...args: string[]) =>
      JSON.parse((await svc(['prompt', 'p_2', ...args, '--json'], now.env)).stdout);
    const [whole, cut] = [await read(), await read('--limit', '1')];
    expect(cut).to.deep.equal({
      ...whole,
      ...{ names: whole.names.slice(0, 1), pages: whole.pages.slice(0, 1) },
      ...{ quotes: whole.quotes.slice(0, 1), searches: whole.searches.slice(0, 1) },
    });
    expect(whole.names).to.have.length(2);
  });

  it('prints one engine a row in a pipe', async () => {
    const { stdout } = await svc(['prompt', 'p_2'], now.env);
    expect(stdout).to.match(/^[a-z]+\t\d+\t\d+\n/);
  });

  it('fits the terminal, and says how many rows --limit leaves out, also by its former name --top', async () => {
    for (const [columns, flag] of [
      [40, '--limit'],
      [80, '--top'],
      [140, '--limit'],
    ] as const) {
      const { stdout } = await svcTable(['prompt', 'p_2', flag, '1'], {
        ...now.env,
        COLUMNS: String(columns),
      });
      expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).to.be.at.most(columns);
      expect(stdout).to.contain('Names, the first 1 of 2');
      expect(stdout.replace(/\s+/g, ' ')).to.contain(`All engines: ${own.length} answers`);
    }
  });

  it('says why it counts more answers than the metrics do', async () => {
    const answers = own.map((row, at) => ({ ...row, engine: at < 2 ? 'llama' : 'chatgpt' }) as const);
    now.server.servePaged('answers', answers, answers);
    const { stdout } = await svcTable(['prompt', 'p_2'], now.env);
    expect(stdout).to.match(/^All engines with web search\n+visibility/m);
    expect(stdout).to.contain(
      `All engines: ${own.length} answers, 2 of them of engines without web search\n`,
    );
  });

  it('states that there are no answers instead of empty tables', async () => {
    serve([]);
    const { stdout } = await svcTable(['prompt', 'p_3'], now.env);
    expect(stdout).to.contain('No answer was collected in these days.').and.not.contain('Engines');
  });

  it('exits with 5 for an unknown id, after one request, and suggests one', async () => {
    const { code, stderr } = await svc(['prompt', 'p_9'], now.env);
    expect(code).to.equal(5);
    expect(stderr)
      .to.contain('No active prompt has the id p_9. Did you mean p_1?')
      .and.contain('`svc prompts`');
    expect(now.server.requests).to.deep.equal([`/api/v1/prompts?${week()}`]);
  });
});
