/** Marks, and what one of them did, as the API sends it. */
import type { Effect } from '../../../src/contract/reads/effect.js';
import type { Mark } from '../../../src/contract/reads/marks.js';
import type { BodyOf } from '../../../src/contract/registry.js';
import { brand } from './fixtures.js';

export const mark: Mark = {
  id: 'guide',
  day: '2026-11-01',
  text: 'Grinder guide published',
  url: 'https://fernweh.example/news',
  prompts: null,
  topics: null,
  tags: ['grinder'],
  pages: ['https://fernweh.example/guides/grinder'],
  engines: null,
};

const flag: Mark = {
  ...mark,
  id: 'launch',
  day: '2026-10-20',
  text: 'Shop launched',
  tags: null,
  pages: null,
  url: null,
};

export const marks: BodyOf<'marks'> = { brand, marks: [mark, flag] };

export const effect: Effect = {
  brand,
  ...{ metric: 'visibility', unit: 'score_0_100', mark, since: mark.day },
  windows: {
    before: { start: '2026-10-04', end: '2026-10-31' },
    after: { start: '2026-11-02', end: '2026-11-19' },
  },
  slice: null,
  treated: { prompts: 8, runs_before: 1120, runs_after: 720, before: 21, after: 33.5 },
  control: { prompts: 14, runs_before: 1960, runs_after: 1260, before: 30.25, after: 31.5 },
  left_out: 2,
  ...{
    predicted: 22.9,
    effect: 10.6,
    interval: [6.1, 15.1],
    verdict: 'up',
    reason_code: null,
    reason: null,
    reason_fact: null,
  },
  prior: { effect: -0.75, interval: [-5, 3.5] },
  detectable: 6.25,
  prompts: [
    {
      ...{ id: 'p1', text: 'best grinder for filter coffee?', before: 12.5, after: 40 },
      ...{ predicted: 16, beyond: 24 },
    },
    { id: 'p2', text: 'hand grinder or electric?', before: 30, after: 29.5, predicted: 31, beyond: -1.5 },
  ],
  pages: [
    {
      ...{ url: 'https://fernweh.example/guides/grinder', answers: 198, of: 1980, share: 0.1 },
      ...{ interval: [0.0875, 0.114], engines: ['chatgpt', 'perplexity'], first_day: '2026-11-04' },
    },
  ],
  plan: null,
  note: 'A comparison with prompts that were not chosen at random: it shows what moved beyond them, and proves no cause.',
  notes: [],
};
