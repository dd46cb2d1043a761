import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { History } from '../../src/collect/journal.js';
import { parsePlan } from '../../src/collect/plan/parse-plan.js';
import { firstVerdictDay, previewOf } from '../../src/collect/preview.js';
import { scheduleOf } from '../../src/collect/schedule.js';
import { addDays } from '../../src/server/base/days.js';
import { DATE } from './support/collecting.js';
import { subject } from './support/plans.js';

const document = readFileSync(join(import.meta.dirname, '../../docs/collecting.md'), 'utf8');

describe('the plan of a collection', () => {
  const plan = parsePlan(/```toml\n([\s\S]*?)```/.exec(document)![1]!, 'docs/collecting.md');
  const previewed = async (history = new History()) => {
    const request = {
      plan,
      subject: subject(30),
      date: DATE,
      written: new Set<string>(),
      resume: false,
      retry: [],
    };
    return previewOf(plan, await scheduleOf({ ...request, history }), history);
  };

  it('of the documentation costs what the documentation says', async () => {
    const { targets, calls, cost_usd } = await previewed();
    const rows = [
      ...document.matchAll(/^\| (\w+) \| (\d+) \| ([\d,]+) \| ([\d,]+) \| \$([\d.]+) \| \$([\d.]+) \|$/gm),
    ].map(([, name, ...numbers]) => [name, ...numbers.map((text) => Number(text.replaceAll(',', '')))]);
    const sum = (pick: (row: (typeof targets)[number]) => number) =>
      targets.reduce((a, row) => a + pick(row), 0);
    const money = (usd: number) => [Number(usd.toFixed(2)), Number((30 * usd + 1e-9).toFixed(2))];
    const expected = [
      ...targets.map((row) => [
        ...[row.engine ?? 'extraction', row.calls, row.input_tokens, row.output_tokens],
        ...money(row.cost_usd!),
      ]),
      [
        'together',
        calls,
        sum((row) => row.input_tokens),
        sum((row) => row.output_tokens),
        ...money(cost_usd!),
      ],
    ];
    expect(rows).to.deep.equal(expected);
  });

  it('uses what earlier calls used', async () => {
    const kind = 'ask anthropic claude-sonnet-4-5 search';
    const history = new History();
    const at = '2026-11-19T00:00:00Z';
    history.add({ event: 'attempt', call: 1, run: 'r', step: 'ask', kind, at, reserved_usd: 0 });
    const usage = { input: 100, output: 10, searches: 1, costUsd: null };
    const settled = { outcome: 'answered' as const, at, detail: null, usage, answer: null, reply: null };
    history.add({ event: 'outcome', call: 1, cost_usd: 0.1, ...settled });
    const later = new History();
    later.learnFrom(history);
    const { targets } = await previewed(later);
    expect(targets[1]).to.deep.include({ input_tokens: 3000, output_tokens: 300, observed_calls: 1 });
    expect(later.charged).to.deep.equal([]);
  });
});

describe('the first day with verdicts', () => {
  const TODAY = '2026-11-20';
  const ago = (...days: number[]) => new Set(days.map((count) => addDays(TODAY, -count)));

  it('is the eleventh of daily collections', () => {
    expect(firstVerdictDay(ago(0), TODAY)).to.equal(addDays(TODAY, 10));
    expect(firstVerdictDay(ago(0, 1, 2, 3), TODAY)).to.equal(addDays(TODAY, 7));
    expect(firstVerdictDay(ago(...Array(10).keys()), TODAY)).to.equal(addDays(TODAY, 1));
  });

  it('is past if both windows have four days', () => {
    expect(firstVerdictDay(ago(...Array(11).keys()), TODAY)).to.equal(null);
    expect(firstVerdictDay(ago(0, 2, 4, 6, 7, 9, 11, 13), TODAY)).to.equal(null);
  });

  it('does not count days that are too old, nor a today without answers', () => {
    expect(firstVerdictDay(ago(0, 30, 31, 32, 33), TODAY)).to.equal(addDays(TODAY, 10));
    expect(firstVerdictDay(ago(), TODAY)).to.equal(addDays(TODAY, 11));
  });
});
