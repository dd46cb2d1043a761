import { expect } from 'chai';
import { failureOf } from '../../../src/cli/collect/failure.js';
import type { CollectionResult } from '../../../src/collect/collection.js';
import { type Problem, Report } from '../../../src/collect/report/tally.js';
import { target } from '../../collect/support/plans.js';

describe('the failure of a collection', () => {
  const asked = target('http://h', 'openai-chat');
  const run = { target: asked, prompt: { id: 'p', text: '?' }, progress: 'ask' } as const;
  const result = (
    problems: readonly Omit<Problem, 'run' | 'step'>[],
    answered = 0,
    limit: CollectionResult['limit'] = null,
  ): CollectionResult => {
    const report = new Report([asked], new AbortController().signal);
    report.of(asked).answered = answered;
    for (const [at, problem] of problems.entries())
      report.unanswered({ ...run, id: `r${at}` }, 'ask', problem);
    const { targets, dropped } = report;
    return { targets, problems: report.problems, dropped, limit, spent: { calls: 0, usd: 0 } };
  };

  it('has the exit code of docs/cli.md, if every call failed for one reason', () => {
    const kinds: readonly (readonly [Problem['outcome'], string, number])[] = [
      ['not_charged', 'HTTP 401: the key is not accepted', 3],
      ['not_charged', 'HTTP 402: the account has no credit', 4],
      ['not_charged', 'HTTP 403: the key may not do this', 4],
      ['not_charged', 'HTTP 429: the account has no credit', 4],
      ['not_charged', 'HTTP 429: rate limit', 6],
      ['not_charged', 'connection refused (ECONNREFUSED)', 7],
      ['not_charged', 'the certificate has expired (CERT_HAS_EXPIRED)', 7],
      ['not_charged', 'no connection in time (UND_ERR_CONNECT_TIMEOUT)', 7],
      ['lost', 'no answer within 180 s', 7],
      ['failed', 'HTTP 503', 8],
      ['not_charged', 'HTTP 400: the request is not accepted; check model and protocol', 9],
      ['truncated', 'length', 9],
    ];
    for (const [outcome, detail, code] of kinds) {
      const failure = failureOf(result([{ outcome, detail }]), false)!;
      expect(failure.exitCode, detail).to.equal(code);
      expect(failureOf(result([{ outcome, detail }], 1), false)!.exitCode, 'with an answer').to.equal(9);
    }
    const mixed = [
      { outcome: 'not_charged', detail: 'HTTP 401: the key is not accepted' },
      { outcome: 'failed', detail: 'HTTP 500' },
    ] as const;
    expect(failureOf(result(mixed), false)!.exitCode).to.equal(9);
  });

  it('may pass later unless the key is the reason; a limit and a signal come before the calls', () => {
    const refused = { outcome: 'not_charged', detail: 'HTTP 401: the key is not accepted' } as const;
    const busy = { outcome: 'not_charged', detail: 'HTTP 429: rate limit' } as const;
    expect(failureOf(result([refused]), false)!.retryable).to.equal(false);
    expect(failureOf(result([busy]), false)!.retryable).to.equal(true);
    expect(failureOf(result([busy], 0, 'maxUsd'), false)!.message).to.match(/^--max-usd is reached/);
    expect(failureOf(result([busy], 0, 'maxUsd'), true)!.exitCode).to.equal(130);
    expect(failureOf(result([], 3), true)).to.equal(null);
  });
});
