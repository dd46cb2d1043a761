import { expect } from 'chai';
import { resourceNames, resources } from '../../../src/contract/registry.js';
import { toolResourceNames, toolResources } from '../../../src/contract/tools/registry.js';
import { everyType } from '../dataset/support/all-types.js';
import { misfits } from './support/fits.js';
import { type ToolDatabase, toolDatabase } from './support/tool-database.js';

const never = [
  { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
  { type: 'brand', id: 'never', workspace: 'w', name: 'Never', domain: 'never.example' },
];

describe('tools without a REST twin', () => {
  let tools: ToolDatabase;
  before(async () => {
    tools = await toolDatabase();
    await tools.load([...everyType, never[1]!]);
  });
  after(() => tools.close());

  it('are named as they are called, and no resource mirrors them', () => {
    const twins: string[] = resourceNames.map((name) => resources[name].tool);
    for (const name of toolResourceNames) {
      expect([toolResources[name].name, toolResources[name].tool]).to.deep.equal([name, name]);
      expect(twins).not.to.include(name);
    }
  });

  it('begin with the brand and have a note', () => {
    for (const name of toolResourceNames) {
      const fields = Object.keys(toolResources[name].response.fields);
      expect([fields[0], fields.at(-1)], name).to.deep.equal(['brand', 'note']);
    }
  });

  it('answer in the contract’s fields and order, whatever is on record', async () => {
    for (const name of toolResourceNames) {
      for (const brand of ['b', 'never']) {
        expect(misfits(toolResources[name].response, await tools.payload(name, brand))).to.deep.equal([]);
      }
    }
  });

  it('have an empty form, with its reason in words, for a brand that was never collected', async () => {
    const brand = { id: 'never', name: 'Never', domain: 'never.example' };
    const window_days = 7;
    const counts = { pages: null, ok_pages: null, error_pages: null, bot_walls: null, measured_pages: null };
    const forms = {
      list_youtube_citations: { window_days, videos: [] },
      list_offsite_mentions: { total: 0, mentions: [] },
      list_tracked_pages: { total: 0, pages: [] },
      get_site_health: { checked_at: null, ...counts, ttfb_ms: null, slowest: [] },
      get_visitor_stats: {
        window_days,
        connected: false,
        totals: null,
        top_pages: [],
        ai_sources: [],
        countries: [],
      },
      list_community_threads: { window_days, total: 0, threads: [] },
      get_content_coverage: { window_days, totals: { prompts: 0, measured: 0, covered: 0 }, prompts: [] },
      list_fanouts: { window_days, total: 0, fanouts: [] },
    };
    for (const name of toolResourceNames) {
      const { note, ...rest } = await tools.payload(name, 'never');
      expect(rest, name).to.deep.equal({ brand, ...forms[name] });
      expect(note, name).to.match(/never|ever/);
    }
  });
});
