import { expect } from 'chai';
import { BRAND, dataset, daysAgo, runAt, SCOPE } from './fixtures.js';
import { TODAY } from './generators/seeds.js';
import type { SliceParams } from './index.js';
import {
  BAD_REQUEST,
  expectedAnswers,
  expectedCompetitors,
  expectedHistory,
  expectedOverview,
  expectedPrompts,
  expectedSlice,
  expectedSources,
  expectedUrls,
} from './index.js';
import type { DatasetRecord } from './records.js';
import { plainUrlRules as rules } from './url-rules/plain.js';

const prompt = (id: string, fields: object): DatasetRecord => ({
  type: 'prompt',
  id,
  brand: BRAND.id,
  text: `${id}?`,
  ...fields,
});
const own = { mentions: [{ name: 'Own', order: 1 }] };
const cites = (url: string) => ({ citations: [{ url }] });

/** Four runs of today, each of its own prompt, tag, topic, engine or region, and one of a week ago. */
const records = dataset(
  { type: 'topic', id: 't', brand: BRAND.id, name: 'T' },
  { type: 'topic', id: 'empty', brand: BRAND.id, name: 'Empty' },
  prompt('q', { topic: 't', tags: ['x', 'y'], active: false }),
  prompt('r', { topic: 't', tags: ['X'] }),
  runAt('p.chatgpt.us', 0, { ...own, ...cites('https://one.example/') }),
  runAt('q.aio.de', 0, { prompt: 'q', engine: 'aio', region: 'de', ...cites('https://two.example/') }),
  runAt('r.aio.us', 0, { prompt: 'r', engine: 'aio', ...own }),
  runAt('r.llama.us', 0, { prompt: 'r', engine: 'llama', ...own }),
  runAt('old', 7, { prompt: 'r', ...cites('https://two.example/') }),
);
const answered = (slice: SliceParams) =>
  expectedAnswers(records, SCOPE, rules, slice)!.listing.map(({ id }) => id);
const overview = (slice: SliceParams) => expectedOverview(records, SCOPE, rules, slice)!;

describe('reference: slices', () => {
  it('a list is OR, several parameters are AND, tags and topics are those of the prompts, active or not', () => {
    expect(answered({ prompts: ['p', 'q'] })).to.have.members(['p.chatgpt.us', 'q.aio.de']);
    expect(answered({ topics: ['t'] })).to.have.members(['q.aio.de', 'r.aio.us', 'r.llama.us']);
    expect(answered({ topics: ['t'], regions: ['us'] })).to.have.members(['r.aio.us', 'r.llama.us']);
    expect(answered({ tags: ['y'] })).to.deep.equal(['q.aio.de']);
    expect(answered({ tags: ['x'] })).to.deep.equal(['q.aio.de']);
    expect(answered({ tags: ['x', 'X'] })).to.have.members(['q.aio.de', 'r.aio.us', 'r.llama.us']);
    expect(answered({ engines: ['aio'], prompts: ['p'] })).to.deep.equal([]);
  });

  it('without engines the scorecard is blended and answers are not', () => {
    expect(answered({ prompts: ['r'] })).to.have.members(['r.aio.us', 'r.llama.us']);
    expect(overview({ prompts: ['r'] }).run_count).to.equal(1);
    expect(overview({ prompts: ['r'], engines: ['llama', 'aio'] }).run_count).to.equal(2);
  });

  it('the prior window is as long and ends the day before', () => {
    const days = { from: daysAgo(9), to: daysAgo(5) };
    const before = { from: daysAgo(4), to: TODAY };
    expect(overview(days)).to.deep.include({
      window_days: 5,
      run_count: 1,
      has_prior_window: false,
      window: { start: days.from, end: days.to, days: 5 },
    });
    expect(overview(before)).to.include({ window_days: 5, has_prior_window: true });
    expect(overview({ tags: ['X'] }).has_prior_window).to.equal(true);
    expect(overview({ tags: ['x'] }).has_prior_window).to.equal(false);
  });

  it('pages of either window are listed, prior citations are null without a run of the slice', () => {
    const pages = (slice: SliceParams) =>
      expectedUrls(records, SCOPE, rules, slice)!.listing.map((row) => [
        row.domain,
        row.citations,
        row.prior_citations,
      ]);
    expect(pages({ prompts: ['p'] })).to.deep.equal([['one.example', 1, null]]);
    expect(pages({ prompts: ['r', 'p'] })).to.deep.equal([
      ['one.example', 1, 0],
      ['two.example', 0, 1],
    ]);
    const sources = expectedSources(records, SCOPE, rules, { regions: ['de'] })!.listing;
    expect(sources.map(({ domain }) => domain)).to.deep.equal(['two.example']);
  });

  it('every entity is measured on the same runs', () => {
    const rows = expectedCompetitors(records, SCOPE, rules, { engines: ['aio'] })!.listing;
    expect(rows.map((row) => [row.id, row.visibility, row.share_of_voice])).to.deep.equal([
      ['a', 0, 0],
      ['b', 50, 100],
      ['z', 0, 0],
    ]);
  });

  it('a slice without runs has null where a plain request has zero', () => {
    const nothing = {
      visibility: null,
      presence_rate: null,
      share_of_voice: null,
      share_of_voice_fraction: null,
    };
    expect(overview({ topics: ['empty'] })).to.include({ ...nothing, run_count: 0, low_confidence: true });
    const bare = expectedOverview(dataset(runAt('old', 9)), SCOPE, rules)!;
    expect(bare).to.include({ visibility: 0, presence_rate: 0, share_of_voice: 0, run_count: 0 });
    const rows = expectedCompetitors(records, SCOPE, rules, { topics: ['empty'] })!.listing;
    for (const row of rows)
      expect(row).to.include({ visibility: null, share_of_voice: null, share_of_voice_fraction: null });
  });

  it('prompts stay all of the active ones', () => {
    const { prompts } = expectedPrompts(records, SCOPE, rules, { engines: ['llama'] })!.body;
    expect(prompts.map((row) => [row.id, row.run_count, row.presence_rate])).to.deep.equal([
      ['p', 0, null],
      ['r', 1, 1],
    ]);
  });

  it('a body states the slice with each value once', () => {
    expect(overview({}).slice).to.equal(null);
    expect(expectedSlice({ engines: ['llama', 'aio', 'llama'], tags: ['y', 'x', 'y'] })).to.deep.equal({
      from: null,
      to: null,
      engines: ['aio', 'llama'],
      prompts: null,
      topics: null,
      tags: ['y', 'x'],
      regions: null,
      surfaces: null,
    });
  });

  it('history counts the runs of the slice only, and cannot before the live horizon', () => {
    const history = (params: SliceParams) =>
      expectedHistory(records, SCOPE, { metric: 'visibility', ...params }, rules)!;
    const days = { from: daysAgo(3), to: TODAY };
    expect(history({ ...days, tags: ['x'] })).to.deep.include({
      slice: { ...expectedSlice(days), tags: ['x'] },
    });
    expect(history({ ...days })).to.deep.include({ slice: null });
    const sliced = history({ ...days, topics: ['t'], regions: ['us'] });
    expect(sliced).not.to.equal(BAD_REQUEST);
    if (sliced !== BAD_REQUEST)
      expect(sliced.series[0]).to.include({ window_run_count: 1, window_value: 100 });
    expect(history({ from: daysAgo(70), to: TODAY, regions: ['us'] })).to.equal(BAD_REQUEST);
  });
});
