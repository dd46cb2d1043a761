import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { cites, on, runOf, toolDatabase } from './support/tool-database.js';

describe('tool: get_content_coverage', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('content-coverage');

  it('returns the own pages that a prompt cites, and the winners of other prompts', async () => {
    await tools.collect(
      runOf(
        'r',
        cites('https://acme.com/b', 'https://shop.acme.com/a', 'https://globex.io/', 'https://y.example/'),
      ),
      runOf('s', {
        engine: 'grok',
        ...cites('https://acme.com/b#x', 'https://globex.io/2', 'https://x.example/'),
      }),
      runOf('t', { prompt: 'q', ...cites('https://x.example/') }),
    );
    const { totals, prompts, note } = await read();
    expect(totals).to.deep.equal({ prompts: 2, measured: 2, covered: 1 });
    expect(note).to.equal('Measured from 2026-11-20 on: no earlier answer is stored.');
    expect(prompts).to.deep.equal([
      {
        prompt_id: 'p',
        text: 'best crm?',
        run_count: 2,
        cites_own: true,
        own_pages: [
          { url: 'https://acme.com/b', citations: 2 },
          { url: 'https://shop.acme.com/a', citations: 1 },
        ],
        winners: [
          { domain: 'globex.io', classification: 'competitor', citations: 2 },
          { domain: 'x.example', classification: 'other', citations: 1 },
          { domain: 'y.example', classification: 'other', citations: 1 },
        ],
      },
      {
        prompt_id: 'q',
        text: 'cheapest crm?',
        run_count: 1,
        cites_own: false,
        own_pages: [],
        winners: [{ domain: 'x.example', classification: 'other', citations: 1 }],
      },
    ]);
  });

  it('returns three winners, with ties sorted by domain, and none without a host', async () => {
    const urls = ['d', 'c', 'B', 'a'].map((name) => `https://${name}.example/`);
    await tools.collect(runOf('r', cites(...urls, 'mailto:a@b.example', 'nonsense', 'nonsense')));
    expect((await read()).prompts[0]!.winners.map(({ domain }) => domain)).to.deep.equal([
      'a.example',
      'b.example',
      'c.example',
    ]);
  });

  it('sorts own pages with equal counts by url', async () => {
    await tools.collect(runOf('r', cites('https://acme.com/b', 'https://acme.com/B', 'https://acme.com/a')));
    expect((await read()).prompts[0]!.own_pages.map(({ url }) => url)).to.deep.equal([
      'https://acme.com/B',
      'https://acme.com/a',
      'https://acme.com/b',
    ]);
  });

  it('uses the workspace’s own labels', async () => {
    await tools.collect(
      { type: 'reclassification', workspace: 'w', domain: 'globex.io', classification: 'partner' },
      runOf('r', cites('https://globex.io/')),
    );
    expect((await read()).prompts[0]!.winners[0]!.classification).to.equal('partner');
  });

  it('returns null for a prompt without an answer in the window, although others were collected', async () => {
    await tools.collect(
      runOf('early', { ...on('2026-11-13', '23:59:59'), ...cites('https://acme.com/') }),
      runOf('model', { engine: 'llama', ...cites('https://acme.com/') }),
      runOf('r', { prompt: 'q' }),
    );
    const { totals, prompts } = await read();
    expect(totals).to.deep.equal({ prompts: 2, measured: 1, covered: 0 });
    expect(
      prompts.map(({ run_count, cites_own, own_pages, winners }) => [
        run_count,
        cites_own,
        own_pages,
        winners,
      ]),
    ).to.deep.equal([
      [0, null, [], []],
      [1, false, [], []],
    ]);
  });

  it('lists only active prompts, oldest first, those without a date last, then by id', async () => {
    const prompt = (id: string, fields: object = {}) => ({
      type: 'prompt',
      id,
      brand: 'b',
      text: id,
      ...fields,
    });
    await tools.collect(
      prompt('z', { created_at: '2026-01-01T00:00:00Z' }),
      prompt('a', { created_at: '2026-02-01T00:00:00Z' }),
      prompt('gone', { active: false }),
      runOf('r', { prompt: 'gone', ...cites('https://acme.com/') }),
    );
    const { totals, prompts } = await read();
    expect(prompts.map(({ prompt_id }) => prompt_id)).to.deep.equal(['z', 'a', 'p', 'q']);
    expect(totals).to.deep.equal({ prompts: 4, measured: 0, covered: 0 });
  });

  it('follows a change of the brand’s domain', async () => {
    await tools.collect(runOf('r', cites('https://globex.io/', 'https://acme.com/')));
    await tools.load([
      { type: 'competitor', id: 'c', brand: 'b', name: 'Globex' },
      { type: 'brand', id: 'b', workspace: 'w', name: 'Acme', domain: 'globex.io' },
    ]);
    const [row] = (await read()).prompts;
    expect(row!.own_pages.map(({ url }) => url)).to.deep.equal(['https://globex.io/']);
    expect(row!.winners.map(({ domain }) => domain)).to.deep.equal(['acme.com']);
  });

  it('notes that nothing was measured for a brand without runs', async () => {
    await tools.collect();
    const { prompts, note } = await read();
    expect(prompts.map(({ cites_own }) => cites_own)).to.deep.equal([null, null]);
    expect(note).to.match(/No answer was ever collected/);
  });
});
