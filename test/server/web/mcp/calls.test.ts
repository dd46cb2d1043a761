import { expect } from 'chai';
import { escapeControls } from '../../../../src/contract/printable.js';
import { NOW, records } from '../../../rules/support/records.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { call, textOf } from './support/rpc.js';

describe('POST /api/mcp: calls', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load([...records, { type: 'workspace', id: 'small', name: 'small', plan: 'starter' }]);
    await server.load([
      { type: 'brand', id: 'tiny', workspace: 'small', name: 'Tiny', domain: 'tiny.example' },
    ]);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  /** The error message of a call that must fail. */
  async function refusal(name: string, args?: unknown, key?: string): Promise<string> {
    const result = await call(server, name, args, key ? { key } : {});
    expect(result.isError, name).to.equal(true);
    expect(result).to.not.have.property('structuredContent');
    const body = JSON.parse(textOf(result));
    expect(body).to.have.all.keys('error');
    return body.error;
  }

  it('uses the oldest visible brand by default, and treats absent, null and empty arguments alike', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    for (const args of [undefined, null, {}]) {
      const result = await call(server, 'get_overview', args, { key });
      expect(result.isError).to.equal(undefined);
      expect(JSON.parse(textOf(result)).brand.id).to.equal('first');
    }
  });

  it('refuses foreign, nonexistent and malformed brands alike', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    for (const id of ['foreign', 'nobody', '', '\u0000', 'x'.repeat(5000)])
      for (const tool of ['get_overview', 'list_ads', 'list_fanouts'])
        expect(await refusal(tool, { brand_id: id }, key)).to.equal(
          `Unknown brand id: ${escapeControls(id)}`,
        );
  });

  it('refuses an unknown brand with the code and the status that REST has', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full' });
    for (const id of ['foreign', 'nobody', 'uncollected']) {
      const rest = await server.request(`/api/v1/overview?brand=${id}`, key);
      const { code } = (await rest.json()) as { code: string };
      const { _meta: meta } = (await call(server, 'get_overview', { brand_id: id }, { key })) as {
        _meta: object;
      };
      expect(meta, id).to.include({ status: rest.status, code }).and.include({ code: 'unknown_brand' });
    }
  });

  it('refuses a brand without runs as unknown if the read needs runs', async () => {
    const key = await server.key({ workspace: 'w', kind: 'full', brands: ['uncollected'] });
    for (const args of [{}, { brand_id: 'uncollected' }]) {
      for (const tool of ['get_overview', 'list_tag_groups', 'list_answers'])
        expect(await refusal(tool, args, key)).to.equal('Unknown brand id: uncollected');
      for (const tool of ['list_urls', 'list_ads', 'list_tracked_pages', 'get_content_coverage'])
        expect((await call(server, tool, args, { key })).isError, tool).to.equal(undefined);
    }
  });

  it('says that no brands exist if none is given and none is visible', async () => {
    const key = await server.key({ workspace: 'bare', kind: 'full' });
    for (const tool of ['list_brands', 'get_overview', 'list_fanouts'])
      expect(await refusal(tool, {}, key)).to.equal('No brands exist');
    expect(await refusal('get_overview', { brand_id: 'first' }, key)).to.equal('Unknown brand id: first');
  });

  it('refuses tools above the plan before it checks the brand, but not for the operator', async () => {
    const key = await server.key({ workspace: 'small', kind: 'full' });
    for (const [tool, subject] of [
      ['get_crawler_analytics', 'Crawler analytics'],
      ['get_site_health', 'Site health'],
    ] as const) {
      const words = `${subject} needs the Growth plan or above; this workspace is on Starter.`;
      expect(await refusal(tool, {}, key)).to.equal(words);
      expect(await refusal(tool, { brand_id: 'nobody', nonsense: 1 }, key)).to.equal(words);
      expect((await call(server, tool, { brand_id: 'tiny' })).isError).to.equal(undefined);
    }
  });

  it('refuses an unknown argument', async () => {
    expect(await refusal('get_overview', { brandId: 'first' })).to.equal(
      'Unknown argument: brandId. Known arguments: brand_id, from, to, days, engine, prompt, topic, tag, region, surface',
    );
    expect(await refusal('list_brands', { brand_id: 'first' })).to.equal(
      'Unknown argument: brand_id. Known arguments: include, days',
    );
    expect(await refusal('list_urls', { limit: 5, cursor: 'x' })).to.equal(
      'Unknown arguments: limit, cursor. Known arguments: brand_id, from, to, days, engine, prompt, topic, tag, region, surface',
    );
  });

  it('refuses an invalid argument with the message of the REST surface if that has one', async () => {
    const cases: [string, object, string][] = [
      ['get_sentiment', { days: 8 }, 'Invalid days: 8. Give one of 7, 14, 28, 56.'],
      [
        'get_sentiment',
        { days: '7' },
        'Invalid days: "7". Give one of 7, 14, 28, 56, as a number without quotes.',
      ],
      [
        'get_sentiment',
        { days: null },
        'Invalid days: null. Give one of 7, 14, 28, 56, as a number without quotes.',
      ],
      [
        'get_sentiment',
        { days: [7] },
        'Invalid days: an array. Give one of 7, 14, 28, 56, as a number without quotes.',
      ],
      ['get_sentiment', { brand_id: {} }, 'Invalid brand_id: an object. Give a string.'],
      ['list_ads', { from: '2026-11-01' }, 'from=2026-11-01 was given without to. Give both from and to.'],
      [
        'list_ads',
        { from: '2026-02-30', to: '2026-03-01' },
        'Invalid from: 2026-02-30. There is no such date; give one that exists as YYYY-MM-DD.',
      ],
      ['list_ads', { from: 'x', to: 'y' }, 'Invalid from: x. Give a date from 1970 to 2999 as YYYY-MM-DD.'],
      [
        'get_metrics_history',
        {},
        'Missing metric. Give one of visibility, presence_rate, share_of_voice_fraction, citation_share, sentiment_index.',
      ],
      [
        'get_metrics_history',
        { metric: 'visibility', competitors: 'true' },
        'Invalid competitors: "true". Give true or false, without quotes.',
      ],
    ];
    for (const [tool, args, words] of cases) expect(await refusal(tool, args)).to.equal(words);
    expect(await refusal('list_ads', { engine: 'foo' })).to.match(
      /^Unknown engine: foo\. Known engines: chatgpt, /,
    );
  });

  it('refuses arguments that are not an object', async () => {
    expect(await refusal('get_overview', [])).to.equal('Invalid arguments: an array. Give an object.');
    expect(await refusal('get_overview', 'x')).to.equal('Invalid arguments: "x". Give an object.');
  });

  it('returns structured content with the text only to clients of 2025-06-18', async () => {
    for (const version of ['2025-06-18', '2025-03-26', '2024-11-05', '']) {
      const headers: Record<string, string> = version ? { 'MCP-Protocol-Version': version } : {};
      const result = await call(server, 'get_overview', {}, { headers });
      if (version === '2025-06-18')
        expect(result.structuredContent).to.deep.equal(JSON.parse(textOf(result)));
      else expect(result).to.have.all.keys('content');
    }
  });

  it('returns imported data at once, like the REST surface', async () => {
    const count = async () => {
      const { brands } = JSON.parse(textOf(await call(server, 'list_brands')));
      return brands.length;
    };
    const before = await count();
    await server.load([
      {
        type: 'brand',
        id: 'new',
        workspace: 'w',
        name: 'New',
        domain: 'new.example',
        created_at: '2026-06-01T00:00:00Z',
      },
    ]);
    server.pass();
    expect(await count()).to.equal(before + 1);
  });
});
