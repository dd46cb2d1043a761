/** Why a metric moved, as the API sends it: three prompts that sum to the difference, and what is left. */
import type { Driver, Why } from '../../../src/contract/reads/why.js';
import { brand } from './fixtures.js';

const driver = (id: string, name: string, total: number, rest: Partial<Driver> = {}): Driver => ({
  ...{ id, name, kind: 'both', before: 40, after: 40 + 10 * total, weight_before: 0.1, weight_after: 0.1 },
  ...{ rate: total, mix: 0, panel: 0, total, interval: [total - 1, total + 1], verdict: 'no_clear_change' },
  evidence: { before: [`${id}-before`], after: [`${id}-after`] },
  ...rest,
});

export const why: Why = {
  brand,
  ...{ metric: 'visibility', unit: 'score_0_100', by: 'prompt' },
  window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
  previous_window: { start: '2026-11-07', end: '2026-11-13', days: 7 },
  slice: null,
  ...{
    before: 41.25,
    after: 34.5,
    difference: -6.75,
    verdict: 'down',
    reason: null,
    reason_fact: null,
    sums: true,
  },
  parts: { rate: -5.5, mix: 0.25, panel: -1.5, own: null, others: null },
  drivers: [
    driver('p1', 'best coffee beans?', -5, { verdict: 'down' }),
    driver('p2', 'decaf that tastes good?', -1.5, {
      ...{ kind: 'new', before: null, weight_before: 0, rate: 0, panel: -1.5, interval: null, verdict: null },
      evidence: { before: [], after: ['p2-after'] },
    }),
    driver('p3', 'which roaster ships fast?', 0.5),
  ],
  rest: { count: 4, total: -0.75 },
  circumstances: [
    {
      kind: 'model',
      text: 'ChatGPT answers with gpt-6.1 since 2026-11-16.',
      subject: 'gpt-6.1',
      engine: 'chatgpt',
    },
  ],
  note: null,
  notes: [],
};
