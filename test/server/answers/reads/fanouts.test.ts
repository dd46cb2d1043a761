import { expect } from 'chai';
import fc from 'fast-check';
import { foldedText, isEcho } from '../../../../src/server/answers/reads/fanouts.js';
import { fresh } from '../../../support/hooks.js';
import { on, padded, runOf, toolDatabase, upTo } from './support/tool-database.js';

const searched = (...fanouts: string[]) => ({ fanouts });
const volume = (query: string, value: number) => ({
  type: 'fanout_volume',
  query,
  volume: value,
  measured_at: '2026-11-01T00:00:00Z',
});

describe('tool: list_fanouts', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('fanouts');

  it('groups by the exact query over all engines, and counts a run once', async () => {
    await tools.collect(
      runOf('r', searched('crm 2026', 'crm 2026', 'CRM 2026')),
      runOf('s', { engine: 'llama', prompt: 'q', ...on('2026-11-14', '00:00:00'), ...searched('crm 2026') }),
      runOf('t', { engine: 'aio', ...searched('crm 2026') }),
      runOf('early', { ...on('2026-11-13', '23:59:59'), ...searched('crm 2026', 'gone') }),
    );
    const { total, fanouts, note } = await read();
    expect([total, note]).to.deep.equal([2, null]);
    const unmeasured = { is_echo: false, volume: null };
    expect(fanouts).to.deep.equal([
      {
        query: 'crm 2026',
        runs: 3,
        engines: ['chatgpt', 'aio', 'llama'],
        prompts: ['p', 'q'],
        ...unmeasured,
      },
      { query: 'CRM 2026', runs: 1, engines: ['chatgpt'], prompts: ['p'], ...unmeasured },
    ]);
  });

  it('flags an echo of a prompt that the query was run for, but not of another', async () => {
    await tools.collect(
      runOf('r', searched('Best  CRM', 'cheapest crm', 'best crm 2026')),
      runOf('s', { prompt: 'q', ...searched('CHEAPEST CRM!') }),
    );
    const echo = Object.fromEntries((await read()).fanouts.map((row) => [row.query, row.is_echo]));
    expect(echo).to.deep.equal({
      'Best  CRM': true,
      'cheapest crm': false,
      'best crm 2026': false,
      'CHEAPEST CRM!': true,
    });
  });

  it('returns the volume that was measured for the exact query, also zero', async () => {
    const long = `${'long '.repeat(1000)}?`;
    await tools.collect(
      volume('a', 0),
      volume('b', 12.5),
      volume(long, 7),
      volume('C', 1),
      runOf('r', searched('a', 'b', 'c', long)),
    );
    expect((await read()).fanouts.map((row) => row.volume)).to.deep.equal([0, 12.5, null, 7]);
  });

  it('sorts by runs, then by query, and counts before it applies the cap of 50', async () => {
    const queries = upTo(53).map((at) => `q${padded(at)}`);
    await tools.collect(runOf('r', searched(...queries)), runOf('s', searched('q0052', 'q0051')));
    const { total, fanouts, note } = await read();
    expect([total, fanouts.length]).to.deep.equal([53, 50]);
    expect(fanouts.map(({ query }) => query)).to.deep.equal(['q0051', 'q0052', ...queries.slice(0, 48)]);
    expect(note).to.match(/These are the 50 most frequent of 53 searches\.$/);
  });

  it('includes prompts that are no longer active', async () => {
    await tools.collect(
      { type: 'prompt', id: 'gone', brand: 'b', text: 'Old CRM?', active: false },
      runOf('r', { prompt: 'gone', ...searched('old crm') }),
    );
    const [row] = (await read()).fanouts;
    expect([row!.prompts, row!.is_echo]).to.deep.equal([['gone'], true]);
  });

  it('returns only the data of its brand', async () => {
    await tools.collect(
      { type: 'brand', id: 'z', workspace: 'w', name: 'Z', domain: 'z.example' },
      { type: 'prompt', id: 'p', brand: 'z', text: 'Z?' },
      runOf('r', searched('ours')),
      runOf('r', { brand: 'z', ...searched('theirs', 'ours') }),
    );
    expect((await read()).fanouts.map(({ query, runs }) => [query, runs])).to.deep.equal([['ours', 1]]);
  });

  it('notes that nothing was collected in the window', async () => {
    await tools.collect(runOf('old', { ...on('2026-11-01'), ...searched('a') }));
    const { total, fanouts, note } = await read();
    expect([total, fanouts]).to.deep.equal([0, []]);
    expect(note).to.match(/No answer was collected in this window/);
  });
});

describe('an echo of a prompt', () => {
  const prompt = 'What’s the best CRM, for small teams?';

  it('may differ in case, white space and punctuation', () => {
    for (const query of [
      prompt,
      'what’s the best crm for small teams',
      'WHATS THE BEST CRM FOR SMALL TEAMS',
      '  "what\'s the\tbest  crm — for small-teams!?" ',
      'what’s the best ＣＲＭ for\u00a0small teams',
    ]) {
      expect(isEcho(query, [prompt]), query).to.equal(true);
    }
  });

  it('must not differ in a word, a number, a symbol or an accent', () => {
    for (const query of [
      'what’s the best crm for teams',
      `${prompt} 2026`,
      'whats the best crm för small teams',
    ])
      expect(isEcho(query, [prompt]), query).to.equal(false);
    expect(isEcho('learn c', ['learn c++'])).to.equal(false);
  });

  it('may differ in the case of letters without a simple other case', () => {
    for (const query of ['STRASSE', 'Straße', 'STRAẞE']) expect(isEcho(query, ['strasse?'])).to.equal(true);
  });

  it('repeats at least one of several prompts', () => {
    expect(isEcho('best crm', ['cheapest crm', 'Best CRM?'])).to.equal(true);
    expect(isEcho('best crm', [])).to.equal(false);
  });

  it('is also recognised in normalised text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldedText(foldedText(text))).to.equal(foldedText(text));
        expect(isEcho(text, [foldedText(text)])).to.equal(true);
        expect(isEcho(` ${text}?`, [text.toUpperCase()])).to.equal(true);
      }),
    );
  });
});
