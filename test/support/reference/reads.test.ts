import { expect } from 'chai';
import { addDays } from './days.js';
import { TODAY } from './generators/seeds.js';
import {
  expectedAnswers,
  expectedCompetitors,
  expectedOverview,
  expectedPrompts,
  expectedSources,
  expectedUrls,
} from './index.js';
import type { DatasetRecord, RunRecord } from './records.js';
import { plainUrlRules as rules } from './url-rules/plain.js';

const scope = { workspace: 'w', brand: 'b', today: TODAY };

function run(id: string, daysAgo: number, fields: Partial<RunRecord>): RunRecord {
  const collected_at = `${addDays(TODAY, -daysAgo)}T12:00:00Z`;
  const bare = { mentions: [], citations: [], engine: 'chatgpt', region: 'us' };
  return { type: 'run', id, brand: 'b', prompt: 'p', collected_at, ...bare, ...fields };
}

function withBrand(...others: DatasetRecord[]): DatasetRecord[] {
  return [
    { type: 'workspace', id: 'w', name: 'W', plan: 'trial' },
    {
      type: 'brand',
      id: 'b',
      workspace: 'w',
      name: 'Own',
      aliases: ['Self'],
      domain: 'www.Own.example:8080',
    },
    { type: 'prompt', id: 'p', brand: 'b', text: 'which?', tags: ['x'] },
    ...others,
  ];
}

describe('reference: single rules', () => {
  it('a citation is own by domain, subdomain, any port, and not by a name that only ends alike', () => {
    const urls = [
      'https://own.example/',
      'https://www.own.example:8443/a',
      'https://blog.own.example/',
      'https://notown.example/',
      'mailto:me@own.example',
    ];
    const records = withBrand(run('r', 0, { citations: urls.map((url) => ({ url })) }));
    expect(expectedOverview(records, scope, rules)!.citation_share).to.equal(3 / 5);
    expect(
      expectedSources(records, scope, rules)!.body.sources.map((row) => [row.domain, row.citations]),
    ).to.deep.equal([
      ['own.example', 2],
      ['', 1],
      ['blog.own.example', 1],
      ['notown.example', 1],
    ]);
  });

  it('an entity without a domain has no citation share', () => {
    const rival: DatasetRecord = { type: 'competitor', id: 'c', brand: 'b', name: 'C' };
    const records = withBrand(rival, run('r', 0, { citations: [{ url: 'mailto:a@b.example' }] }));
    const shares = expectedCompetitors(records, scope, rules)!.listing.map((row) => row.citation_share);
    expect(shares).to.deep.equal([0, null]);
  });

  it('the tone of a run is that of the first scored mention by order', () => {
    const mentions: RunRecord['mentions'] = [
      { name: 'self', order: 3, sentiment: 'positive' },
      { name: 'OWN', order: 2, sentiment: 'negative' },
      { name: 'Own', order: 1 },
    ];
    const records = withBrand(run('r', 0, { mentions }));
    expect(expectedOverview(records, scope, rules)).to.include({ sentiment_index: 0, avg_position: 1 });
    const [answer] = expectedAnswers(records, scope, rules)!.listing;
    expect(answer!.mentions.map((mention) => mention.name)).to.deep.equal(['Own', 'OWN', 'self']);
  });

  it('prior_citations is null without a prior run, else a count; the newest title of either window shows', () => {
    const cite = (title?: string) => ({
      citations: [{ url: 'https://a.example/', ...(title ? { title } : {}) }],
    });
    const current = run('r', 0, { ...cite(), engine: 'claude' });
    const row = (records: DatasetRecord[]) => expectedUrls(records, scope, rules)!.listing[0]!;
    expect(row(withBrand(current))).to.include({ citations: 1, prior_citations: null, title: null });
    const old = [run('q', 7, cite('Newer')), run('o', 13, cite('Older')), run('n', 14, cite())];
    expect(row(withBrand(current, ...old))).to.include({ citations: 1, prior_citations: 2, title: 'Newer' });
    expect(row(withBrand(...old))).to.deep.include({
      citations: 0,
      answers: 0,
      engines: [],
      brand_present: false,
    });
  });

  it('a tag group keeps its order, loses unused members and may be empty', () => {
    const group = (id: string, tags: string[], created_at?: string): DatasetRecord => {
      return {
        type: 'tag_group',
        id,
        brand: 'b',
        name: id,
        color: '#000000',
        tags,
        created_at: created_at ?? null,
      };
    };
    const hidden: DatasetRecord = {
      type: 'prompt',
      id: 'h',
      brand: 'b',
      text: '?',
      tags: ['h'],
      active: false,
    };
    const late = group('late', ['h'], '2026-01-02T00:00:00+05:30');
    const records = withBrand(
      group('a', ['X', 'x']),
      late,
      group('z', [], '2026-01-01T18:00:00Z'),
      hidden,
      run('r', 9, {}),
    );
    const body = expectedPrompts(records, scope, rules)!.body;
    expect(body.tag_groups.map(({ id, tags }) => [id, ...tags])).to.deep.equal([['z'], ['late'], ['a', 'x']]);
    expect(body.prompts.map((prompt) => prompt.id)).to.deep.equal(['p']);
    expect(body.prompts[0]).to.include({ topic: 'x', stage: '—', presence_rate: null, run_count: 0 });
  });

  it('answers are newest first by UTC date, then id, on all engines', () => {
    const moved = { collected_at: `${TODAY}T02:00:00+05:30`, engine: 'llama' };
    const records = withBrand(run('a', 0, {}), run('B', 0, {}), run('z', 0, moved), run('c', 7, {}));
    expect(expectedAnswers(records, scope, rules)!.listing.map((row) => row.id)).to.deep.equal([
      'a',
      'B',
      'z',
    ]);
  });
});
