import { expect } from 'chai';
import { type ReadName, readNames, reads } from '../../../../src/contract/registry.js';
import { shared } from '../../../support/hooks.js';
import { everyType } from '../../intake/dataset/support/all-types.js';
import { misfits } from './support/fits.js';
import { toolDatabase } from './support/tool-database.js';

const withoutPath = readNames.filter((name) => !('path' in reads[name]));

const never = [
  { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
  { type: 'brand', id: 'never', workspace: 'w', name: 'Never', domain: 'never.example' },
];

describe('reads without a REST path', () => {
  const tools = shared(toolDatabase);
  before(async () => {
    await tools.load([...everyType, never[1]!]);
  });

  it('begin with the brand and have a note', () => {
    for (const name of withoutPath) {
      const fields = Object.keys(reads[name].response.fields);
      expect([fields[0], fields.at(-1)], name).to.deep.equal(['brand', 'notes']);
    }
  });

  it('return the contract’s fields in its order, for any stored data', async () => {
    for (const name of withoutPath) {
      for (const brand of ['b', 'never']) {
        expect(misfits(reads[name].response, await tools.payload(name, brand))).to.deep.equal([]);
      }
    }
  });

  it('return an empty form with a note that states the reason for a brand without runs', async () => {
    const brand = { id: 'never', name: 'Never', domain: 'never.example' };
    const window_days = 7;
    const window = { start: '2026-11-14', end: '2026-11-20', days: 7 };
    const days = { window_days, window, measured: null };
    const counts = { pages: null, ok_pages: null, error_pages: null, bot_walls: null, measured_pages: null };
    const forms: Partial<Record<ReadName, object>> = {
      'youtube-citations': { window_days, videos: [] },
      'offsite-mentions': { total: 0, mentions: [] },
      'tracked-pages': { total: 0, pages: [] },
      'site-health': { checked_at: null, ...counts, ttfb_ms: null, slowest: [] },
      'visitor-stats': {
        window_days,
        connected: false,
        totals: null,
        top_pages: [],
        ai_sources: [],
        countries: [],
      },
      'community-threads': { window_days, total: 0, threads: [] },
      'content-coverage': { ...days, totals: { prompts: 0, measured: 0, covered: 0 }, prompts: [] },
      fanouts: { ...days, total: 0, fanouts: [] },
    };
    for (const name of withoutPath) {
      const {
        note,
        notes: _,
        ...rest
      } = (await tools.payload(name, 'never')) as {
        note?: string;
        notes?: unknown;
      };
      expect(rest, name).to.deep.equal({ brand, ...forms[name] });
      expect(note, name).to.match(/never|ever/);
    }
  });
});
