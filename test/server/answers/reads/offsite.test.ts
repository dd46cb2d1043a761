import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { padded, toolDatabase, upTo } from './support/tool-database.js';

const finding = (id: string, fields: object = {}) => ({
  type: 'offsite_mention',
  id,
  brand: 'b',
  week: '2026-11-16',
  kind: 'web',
  entity: 'b',
  title: 'T',
  url: 'https://www.news.example:8443/a',
  found_at: '2026-11-17T08:00:00Z',
  ...fields,
});

describe('tool: list_offsite_mentions', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('offsite-mentions');

  it('returns the tracked name of the entity and the host of the page', async () => {
    await tools.collect(
      finding('a', { found_at: '2026-11-17T08:00:00+02:00' }),
      finding('b', {
        entity: 'c',
        kind: 'news',
        url: 'mailto:x@y.example',
        found_at: '2026-11-16T08:00:00Z',
      }),
    );
    expect((await read()).mentions).to.deep.equal([
      {
        id: 'a',
        week: '2026-11-16',
        kind: 'web',
        entity: 'Acme',
        is_brand: true,
        title: 'T',
        url: 'https://www.news.example:8443/a',
        domain: 'news.example',
        found_at: '2026-11-17T06:00:00.000Z',
      },
      {
        id: 'b',
        week: '2026-11-16',
        kind: 'news',
        entity: 'Globex',
        is_brand: false,
        title: 'T',
        url: 'mailto:x@y.example',
        domain: null,
        found_at: '2026-11-16T08:00:00.000Z',
      },
    ]);
  });

  it('sorts by newest week, then newest mention, then id', async () => {
    await tools.collect(
      finding('late', { week: '2026-11-09', found_at: '2026-11-20T08:00:00Z' }),
      finding('y'),
      finding('x'),
      finding('z', { found_at: '2026-11-18T08:00:00Z' }),
    );
    expect((await read()).mentions.map(({ id }) => id)).to.deep.equal(['z', 'x', 'y', 'late']);
  });

  it('returns all mentions of any age, and notes that they are leads', async () => {
    await tools.collect(
      ...upTo(300).map((at) => finding(padded(at), { week: '2020-01-06', found_at: '2020-01-07T00:00:00Z' })),
    );
    const { total, mentions, note } = await read();
    expect([total, mentions.length]).to.deep.equal([300, 300]);
    expect(note).to.match(/leads.*not verified/);
  });

  it('returns no mentions of other brands', async () => {
    await tools.collect(
      { type: 'brand', id: 'z', workspace: 'w', name: 'Z', domain: 'z.example' },
      finding('a'),
      finding('a', { brand: 'z', entity: 'z', title: 'Z' }),
    );
    expect((await read()).mentions.map(({ title }) => title)).to.deep.equal(['T']);
  });
});
