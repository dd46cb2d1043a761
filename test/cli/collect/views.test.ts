import { expect } from 'chai';
import { failureOf, limitNotes } from '../../../src/cli/collect/views.js';
import type { CollectionResult } from '../../../src/collect/collection.js';
import type { Preview } from '../../../src/collect/preview.js';
import { missingOf, type Problem, Report } from '../../../src/collect/tally.js';
import { target } from '../../collect/support/plans.js';

describe('the failure of a collection', () => {
  const asked = target('http://h', 'openai-chat');
  const run = { target: asked, prompt: { id: 'p', text: '?' }, progress: 'ask', outcome: null } as const;
  const result = (
    problems: readonly Pick<Problem, 'outcome' | 'cause'>[],
    answered = 0,
    limit: CollectionResult['limit'] = null,
  ): CollectionResult => {
    const report = new Report([asked], new AbortController().signal);
    report.of(asked).answered = answered;
    for (const [at, problem] of problems.entries())
      report.unanswered({ ...run, id: `r${at}` }, 'ask', { ...problem, detail: `${at}`, stopsTarget: false });
    const { targets, dropped } = report;
    return {
      targets,
      missing: targets.reduce((sum, tally) => sum + missingOf(tally), 0),
      problems: report.problems,
      dropped,
      drift: [],
      limit,
      overrun: null,
      spent: { calls: 0, usd: 0, assumed_usd: 0 },
    };
  };

  const NONE = { failed: 0, lost: 0, refused: 0, filtered: 0, truncated: 0, malformed: 0 };
  const failureOfAll = (collected: CollectionResult, isStopped: boolean) =>
    failureOf(collected, NONE, isStopped);

  it('has the exit code of docs/cli.md, if every call failed for one reason', () => {
    const kinds: readonly (readonly [Problem['outcome'], Problem['cause'], number])[] = [
      ['not_charged', 'key', 3],
      ['not_charged', 'credit', 4],
      ['not_charged', 'rights', 4],
      ['not_charged', 'rate_limit', 6],
      ['not_charged', 'network', 7],
      ['lost', 'network', 7],
      ['failed', 'engine', 8],
      ['not_charged', 'request', 9],
      ['truncated', 'answer', 9],
    ];
    for (const [outcome, cause, code] of kinds) {
      const failure = failureOfAll(result([{ outcome, cause }]), false)!;
      expect(failure.exitCode, String(cause)).to.equal(code);
      expect(failureOfAll(result([{ outcome, cause }], 1), false)!.exitCode, 'with an answer').to.equal(9);
    }
    const mixed = [
      { outcome: 'not_charged', cause: 'key' },
      { outcome: 'failed', cause: 'engine' },
    ] as const;
    expect(failureOfAll(result(mixed), false)!.exitCode).to.equal(9);
  });

  it('may pass later unless the key is the reason; a limit and a signal come before the calls', () => {
    const refused = { outcome: 'not_charged', cause: 'key' } as const;
    const busy = { outcome: 'not_charged', cause: 'rate_limit' } as const;
    expect(failureOfAll(result([refused]), false)!.retryable).to.equal(false);
    expect(failureOfAll(result([busy]), false)!.retryable).to.equal(true);
    expect(failureOfAll(result([busy], 0, 'maxUsd'), false)!.message).to.match(/^--max-usd has no room/);
    expect(failureOfAll(result([busy], 0, 'maxUsd'), true)!.exitCode).to.equal(130);
    expect(failureOfAll(result([], 3), true)).to.equal(null);
  });

  it('says once what asks again for which runs', () => {
    const failures = [
      { outcome: 'malformed', cause: 'answer' },
      { outcome: 'truncated', cause: 'answer' },
      { outcome: 'failed', cause: 'engine' },
    ] as const;
    const { hint } = failureOf(result(failures, 3), { ...NONE, lost: 1, malformed: 1 }, false)!;
    expect(hint!.split('\n')).to.deep.equal([
      '2 calls failed or got lost, and may have been charged: --resume asks again, and may pay twice.',
      '3 answers cannot be used (1 truncated, 2 malformed) and were paid: --resume does not ask again; --retry truncated,malformed does, and pays again.',
    ]);
  });
});

describe('the notes on --max-usd', () => {
  it('say what was spent before', () => {
    const target = { engine: 'chatgpt', region: 'us', calls: 1, cost_usd: 0.1, call_most_usd: 0.2 };
    const notes = (spent_usd: number) =>
      limitNotes({ targets: [target], cost_usd: 0.1, spent_usd } as unknown as Preview, 0.02).join();
    expect(notes(0.42)).to.match(
      /^--max-usd leaves \$0\.00\d* \(the journal has \$0\.42\d* already\), so chatgpt/,
    );
    expect(notes(0)).to.match(/^--max-usd leaves \$0\.02\d*, so chatgpt/);
  });
});
